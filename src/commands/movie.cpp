// ffmpeg reads the pictures one after the other from a socket: a pipe whose reader has ended would end this process.
#include "commands/movie.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/message.hpp"
#include "io/run_directory.hpp"

namespace watersmeet::commands {
namespace {

// Whether all of it was taken.
bool send_all(int socket, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = io::uninterrupted(
        [&] { return ::send(socket, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL); });
    if (n < 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

// Its exit status, 127 where it cannot be started; what it says goes to `said`.
int run_ffmpeg(const std::vector<std::string>& pictures, const std::string& path, int said) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return 127;
  // Sides must be even where colours have half the resolution.
  std::vector<std::string> words = {"ffmpeg",     "-loglevel",
                                    "error",      "-y",
                                    "-f",         "image2pipe",
                                    "-framerate", "10",
                                    "-c:v",       "png",
                                    "-i",         "-",
                                    "-vf",        "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
                                    "-pix_fmt",   "yuv420p",
                                    "-q:v",       "2",
                                    "-f",         "mp4",
                                    path};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const int failure =
      ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  int status = 127;
  if (failure == 0) {
    try {
      for (const std::string& picture : pictures)
        if (!send_all(ends[0], io::read_text_file(picture))) break;  // its status says why
    } catch (const Error& error) {
      (void)::dprintf(said, "%s\n", error.what());
    }
  }
  ::close(ends[0]);
  int ended = 0;
  if (failure == 0 && io::uninterrupted([&] { return ::waitpid(child, &ended, 0); }) == child)
    status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 1;
  return status;
}

}  // namespace

std::string make_movie(const std::string& directory, const std::string& name) {
  try {
    const std::vector<std::string> pictures = io::list_pictures(directory, name);
    if (pictures.size() < 2) return {};
    const std::string path = io::join(directory, "picture_" + name + ".mp4");
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> said(std::tmpfile(), &std::fclose);
    if (!said) return fmt::format("no movie of {}: {}", name, std::strerror(errno));
    const int status = run_ffmpeg(pictures, io::part_name(path), ::fileno(said.get()));
    if (status == 0) {
      io::finish_part(path, nullptr);
      return "movie      " + path;
    }
    ::unlink(io::part_name(path).c_str());
    if (status == 127)
      return fmt::format("no movie of {}: ffmpeg is not on the path; its {} pictures are {}", name,
                         pictures.size(), io::join(directory, "picture_" + name + "_*.png"));
    std::rewind(said.get());
    char line[400] = "";
    if (std::fgets(line, sizeof line, said.get()) == nullptr) line[0] = '\0';
    line[std::strcspn(line, "\n")] = '\0';
    return fmt::format("no movie of {}: ffmpeg ended with status {}: {}", name, status,
                       io::printable(line));
  } catch (const std::exception& error) {
    return fmt::format("no movie of {}: {}", name, error.what());
  }
}

}  // namespace watersmeet::commands
