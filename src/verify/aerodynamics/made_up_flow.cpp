// A manufactured steady flow on wavy blocks of length 10: with the divergence of its fluxes as the source, the flow below solves the equations,
// and the error of the density falls with the order of the scheme. Multigrid cycles restrict the sources with the residuals, and converge to the
// same flow as cycles over one grid.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "verify/aerodynamics/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double length = 10;

// A function of x and y with its derivatives, as text. The velocity is (u, w), and gamma = 1.4.
struct Term {
  std::string value, along_x, along_y;
};
const std::string k = fmt::format("({:.17g})", two_pi / length);
const Term rho = {fmt::format("(1 + 0.1*sin({0}*x)*cos({0}*y))", k),
                  fmt::format("(0.1*{0}*cos({0}*x)*cos({0}*y))", k),
                  fmt::format("(-0.1*{0}*sin({0}*x)*sin({0}*y))", k)};
const Term u = {fmt::format("(0.4 + 0.05*sin({0}*x)*cos({0}*y))", k),
                fmt::format("(0.05*{0}*cos({0}*x)*cos({0}*y))", k),
                fmt::format("(-0.05*{0}*sin({0}*x)*sin({0}*y))", k)};
const Term w = {fmt::format("(0.2 + 0.05*sin({0}*(x + y)))", k),
                fmt::format("(0.05*{0}*cos({0}*(x + y)))", k),
                fmt::format("(0.05*{0}*cos({0}*(x + y)))", k)};
const Term p = {fmt::format("((1 + 0.1*cos({0}*x)*sin({0}*y))/1.4)", k),
                fmt::format("(-0.1*{0}*sin({0}*x)*sin({0}*y)/1.4)", k),
                fmt::format("(0.1*{0}*cos({0}*x)*cos({0}*y)/1.4)", k)};

// The derivative of a product along an axis.
std::string slope(const std::vector<Term>& factors, bool along_x) {
  std::string sum;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    std::string product;
    for (std::size_t j = 0; j < factors.size(); ++j) {
      const Term& f = factors[j];
      product += (j == 0 ? "" : "*") + (i != j ? f.value : along_x ? f.along_x : f.along_y);
    }
    sum += (i == 0 ? "" : " + ") + product;
  }
  return "(" + sum + ")";
}
// The divergence of the flux of a quantity, which is the product `of`: d(of u)/dx + d(of w)/dy.
std::string outflow(std::vector<Term> of) {
  of.push_back(u);
  const std::string x = slope(of, true);
  of.back() = w;
  return x + " + " + slope(of, false);
}

FlowOnBlocks made_up(int order, int cells) {
  FlowOnBlocks c;
  c.mesh = fmt::format("kind = \"wavybox\", cells = [{0}, {0}], blocks = [2, 2]", cells);
  c.stream = "mach = 0.447, alpha_deg = 26.565";
  c.order = order;
  c.numerics = "shocks = \"none\"\n";
  c.steady = true;
  c.time = "residual_drop = 1e-9\nforce_window = 0\n";
  c.boundary = fmt::format(
      "outer = {{ kind = \"exact\", state = {{ density = \"{}\", velocity = [\"{}\", \"{}\", 0], "
      "pressure = \"{}\" }} }}\n",
      rho.value, u.value, w.value, p.value);
  c.source = fmt::format(
      "density = \"{}\"\nmomentum = [\"{} + {}\", \"{} + {}\", 0]\n"
      "energy = \"3.5*({}) + 0.5*({} + {})\"\n",
      outflow({rho}), outflow({rho, u}), p.along_x, outflow({rho, w}), p.along_y, outflow({p}),
      outflow({rho, u, u}), outflow({rho, w, w}));
  return c;
}

struct Found {
  bool converged = false;
  double error = 0;  // root mean square, of the density
  std::vector<double> density;
};
Found found(const Verification& v, const FlowOnBlocks& c) {
  Simulation s = start(v, c);
  Found f;
  f.converged = converge(s, 1e-9, 20000);
  f.density = s.field("rho");
  std::vector<double> exact;
  for (const BlockPoints& block : s.blocks()) {
    for (std::size_t at = 0; at < block.xyz.size(); at += 3) {
      const double x = two_pi / length * block.xyz[at], y = two_pi / length * block.xyz[at + 1];
      exact.push_back(1 + 0.1 * std::sin(x) * std::cos(y));
    }
  }
  f.error = rms_difference(f.density, exact);
  return f;
}
}  // namespace

void verify_block_sources(Verification& v) {
  if (v.single()) return v.leave_out("sources", "residuals end at round-off of single precision");
  // Order 1 reaches its slope on finer grids only, as it does for exact solutions.
  const struct {
    int order;
    double least, most;
  } known[] = {{1, 0.7, 1.2}, {2, 1.8, 2.5}, {3, 2.5, 3.2}};
  for (const auto& [order, least, most] : known) {
    const std::string name = fmt::format("order {}, manufactured flow", order);
    const Found coarse = found(v, made_up(order, 12)), fine = found(v, made_up(order, 24));
    v.above(name + ": converged", coarse.converged && fine.converged ? 1 : 0, 1);
    v.within(name + ": order from 12 to 24 cells", order_of(coarse.error, fine.error), least, most);
    if (order != 3) continue;
    FlowOnBlocks one = made_up(order, 12);
    one.numerics += "multigrid = { levels = 1 }\n";
    v.below(name + ": largest difference between one grid and several",
            largest_difference(found(v, one).density, coarse.density), 1e-9);
  }
}

}  // namespace watersmeet::verify
