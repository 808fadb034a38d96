// What other threads do while MPI ends: nothing with MPI. This MPI_Finalize() replaces that of the
// library for the whole program (MPI's profiling interface) and takes longer than the quarter of a
// second after which the thread of a time limit looks at messages. A call after the end of MPI ends
// the program with an error, which is the failure of this test.

#include <chrono>
#include <thread>

extern "C" {
int PMPI_Finalize();
int MPI_Finalize() {
  const int status = PMPI_Finalize();
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  return status;
}
}
