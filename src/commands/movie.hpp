#pragma once
// Movies of the pictures of a run, by ffmpeg where it is on the path.

#include <string>

namespace watersmeet::commands {

// Makes DIR/picture_NAME.mp4 of all pictures of this name, ten a second: a line that says where it is, or why there is none; empty where there are
// fewer than two pictures. Throws nothing, for the run has ended well.
std::string make_movie(const std::string& directory, const std::string& name);

}  // namespace watersmeet::commands
