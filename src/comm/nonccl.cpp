// A build without NCCL.
#include "comm/transport.hpp"

namespace watersmeet::comm {

bool nccl_available(std::string& why) {
  why = built_with_cuda() ? "this build has no NCCL (nccl.h was not found)"
                          : "this build has no CUDA back end";
  return false;
}

std::unique_ptr<Transport> make_nccl_transport(Communicator&) {
  std::string why;
  nccl_available(why);
  throw Error(ErrorKind::unsupported, "no NCCL: " + why);
}

}  // namespace watersmeet::comm
