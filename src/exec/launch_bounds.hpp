#pragma once
// Thread blocks that are to share a multiprocessor at least, at the price of registers: what a body
// asks for by a constant of this name, or what its loop thinks right.

namespace watersmeet::exec {

template <class Body>
constexpr int blocks_at_once(int usual) {
  if constexpr (requires { Body::blocks_at_once; }) return Body::blocks_at_once;
  return usual;
}

}  // namespace watersmeet::exec
