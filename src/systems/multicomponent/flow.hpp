#pragma once
// The flow as a flux scheme of the face form (exec/face.hpp): what is reconstructed, how, what the
// faces exchange and what a cell makes of it.
//
// Gamma and Pi are advected by u_f: a cell takes (phi_f - phi) u_f from each face, which is the
// conservative flux and the source phi div u in one, and exactly zero where phi is uniform.

#include <cstdint>

#include "exec/face.hpp"
#include "systems/multicomponent/riemann.hpp"

namespace watersmeet::multicomponent {

enum class Reconstruction : int { weno5_js, weno5_z, weno3, first_order };
enum class Positivity : int { off, fallback, scaling };
// Which of the choices below are fixed when the loops are compiled: the two of most runs (HLLC with
// Einfeldt's speeds, WENO5 of either kind, fallback, phi of the cell, Cartesian), or none; none either
// where cells have different widths (stretched.hpp).
enum class Variant : int { js, z, general, stretched };

template <class R>
struct FlowParameters {
  Vec<schemes::WenoScale<R>, n_variables> weno{};
  Vec<R, 3> inverse_spacing{};  // 0 along an axis of one cell
  bool split = false;           // E - Pi is stored
  bool compaction = false;      // model mpcf-k
  // Constants of the two fluids of mpcf-k: g the one with the larger Gamma.
  R gamma_g = 0, gamma_l = 0, pi_g = 0, pi_l = 0, p_c_g = 0, p_c_l = 0;
  // Variant::general only.
  Reconstruction reconstruction = Reconstruction::weno5_js;
  Riemann riemann = Riemann::hllc;
  bool roe_speeds = false;
  bool phi_by_contact = false;  // riemann.hpp; of the limiter's fluxes alone
  Positivity positivity = Positivity::fallback;
  bool faces_source = false;  // phi du/dx with the mean of phi over the cell's own edges along x
  bool axisymmetric = false;  // y is the radius
  std::int64_t first_j = 0;   // of the part in the whole: y = (first_j + j + 1/2) / inverse_spacing
};

template <class R, Variant variant>
struct Flow {
  static constexpr int variables = n_variables;
  static constexpr int states = n_variables;
  static constexpr int records = n_records;
  static constexpr int kept = variant == Variant::general ? 2 : 0;  // phi of the source phi div u
  static constexpr int radius = 3;
  static constexpr bool heavy = variant == Variant::general;

  FlowParameters<R> p;

  WM_HD bool active(int axis) const { return p.inverse_spacing[axis] > R(0); }

  template <class T>
  WM_HD Vec<T, states> state(const Conserved<T>& stored) const {
    return primitive_of(stored, p.split).values;
  }

  // The fluxes of the limiter's faces: of first order, by HLLC with phi moving with the contact.
  WM_HD Flow low() const {
    Flow f = *this;
    f.p.reconstruction = Reconstruction::first_order;
    f.p.riemann = Riemann::hllc;
    f.p.roe_speeds = false;
    f.p.phi_by_contact = true;
    f.p.compaction = false;  // what it adds to Gamma and Pi has no such bound
    return f;
  }

  // Whether a cell may hold these values.
  template <class T>
  WM_HD auto acceptable(const Conserved<T>& stored) const {
    return admissible(primitive_of(stored, p.split));
  }
  // The same, with some way left to the edge of the set: p + p_c of a liquid or mixture is not
  // below a fiftieth of its p_c (that of Pi/(Gamma + 1)), and the stage has not taken nine tenths
  // of the density or of p + p_c, which no resolved wave does. Beyond, the next stage may leave the
  // set where first order still helped.
  template <class T>
  WM_HD auto acceptable_after(const Conserved<T>& before, const Conserved<T>& stored) const {
    const T least = T(R(0.1));
    const Primitive<T> w = primitive_of(stored, p.split), w0 = primitive_of(before, p.split);
    const T stiff = stiff_pressure(w);
    const auto steady = and_(w[w_rho] > least * w0[w_rho], stiff > least * stiff_pressure(w0));
    return and_(and_(admissible(w), steady), stiff > R(0.02) * w[w_pi]);
  }

  // Both edges of the middle cell of window(v, -2 .. 2).
  template <class T, class Window>
  WM_HD exec::Edges<T, states> edges(const Window& window) const {
    return edges_by<T>(
        window, [&](int v, const T& c) { return this->template reconstruct<T>(window, v, c); });
  }

  // By reconstruct(v, value of the cell).
  template <class T, class Window, class Reconstruct>
  WM_HD exec::Edges<T, states> edges_by(const Window& window,
                                        const Reconstruct& reconstruct) const {
    Primitive<T> w, lower, upper;
    for (int v = 0; v < states; ++v) {
      w[v] = window(v, 0);
      const schemes::EdgeValues<T> both = reconstruct(v, w[v]);
      lower[v] = both.lower;
      upper[v] = both.upper;
    }
    const auto edges_with = [&](const T& fallbacks) {
      return exec::Edges<T, states>{lower.values, upper.values, fallbacks};
    };
    if constexpr (variant == Variant::general) {
      if (p.positivity == Positivity::off) return edges_with(T(R(0)));
      if (p.positivity == Positivity::scaling) {
        return edges_with(pull_in(lower, w) + pull_in(upper, w));
      }
    }
    return edges_with(fall_back(lower, w) + fall_back(upper, w));
  }

  template <int axis, class T>
  WM_HD Record<T> flux(const Vec<T, states>& left, const Vec<T, states>& right) const {
    constexpr int n = w_u + axis;
    const Primitive<T> l{left}, r{right};
    if constexpr (variant == Variant::general) {
      detail::OuterSpeeds<T> speed =
          p.roe_speeds ? detail::roe_speeds(l, r, n) : detail::einfeldt_speeds(l, r, n);
      if (p.riemann == Riemann::hllc) {
        return hllc_record<axis>(l, r, speed, p.split, p.phi_by_contact);
      }
      if (p.riemann == Riemann::hllc_lm) return hllc_lm_record<axis>(l, r, speed, p.split);
      if (p.riemann == Riemann::rusanov) {
        speed.right = max_(abs_(l[n]) + detail::sound_of(l).c, abs_(r[n]) + detail::sound_of(r).c);
        speed.left = -speed.right;
      }
      return hll_record<axis>(l, r, speed, p.split);
    } else {
      return hllc_record<axis>(l, r, detail::einfeldt_speeds(l, r, n), p.split);
    }
  }

  // The flux of E through a face, whatever is stored: Pi adds what is not advection of E - Pi.
  template <class T>
  WM_HD T total_energy_flux(const Record<T>& f) const {
    return p.split ? f[s_energy] + transported(f, s_pi, T(R(0))) : f[s_energy];
  }

  // The Gamma and Pi of the source phi div u: of the cell, or the means over its two edges.
  template <class T>
  WM_HD Vec<T, kept> keep(const exec::Edges<T, states>& e, const Vec<T, states>& w) const {
    Vec<T, kept> phi;
    if constexpr (variant == Variant::general) {
      for (int v = 0; v < kept; ++v) {
        phi[v] = p.faces_source ? R(0.5) * (e.lower[w_gamma + v] + e.upper[w_gamma + v])
                                : w[w_gamma + v];
      }
    }
    return phi;
  }

  // Adds to the time derivative of a cell of state w in row j of this part what its two faces
  // across `axis` bring, sources with this axis' share of div u included.
  template <int axis, class T>
  WM_HD void add(Conserved<T>& rate, const Record<T>& lower, const Record<T>& upper,
                 const Vec<T, states>& cell, const Vec<T, kept>& own, int j) const {
    const Primitive<T> w{cell};
    if constexpr (variant == Variant::general && axis == 1) {
      if (p.axisymmetric) {
        const R r = R(p.first_j + j);  // of the lower face, in spacings
        const R inverse_r = R(1) / (r + R(0.5));
        close(rate, through(lower, r * inverse_r, w), through(upper, (r + R(1)) * inverse_r, w), w,
              own, p.inverse_spacing[axis]);
        return;
      }
    }
    close(rate, lower, upper, w, own, p.inverse_spacing[axis]);
  }

  // h: 1 over the width of the cell along the axis, an R or a T.
  template <class T, class Inverse>
  WM_HD void close(Conserved<T>& rate, const Record<T>& lower, const Record<T>& upper,
                   const Primitive<T>& w, const Vec<T, kept>& own, const Inverse& h) const {
    T gamma = w[w_gamma], pi = w[w_pi];
    if constexpr (kept > 0) {
      gamma = own[0];
      pi = own[1];
    }
    // (1) to (3) of equations.hpp
    for (int v = s_rho; v <= s_energy; ++v) rate[v] = fma_(lower[v] - upper[v], T(h), rate[v]);
    // (4): -u . grad phi
    rate[s_gamma] = fma_(transported(lower, s_gamma, gamma) - transported(upper, s_gamma, gamma),
                         T(h), rate[s_gamma]);
    rate[s_pi] =
        fma_(transported(lower, s_pi, pi) - transported(upper, s_pi, pi), T(h), rate[s_pi]);
    const T minus_div = (lower[r_velocity] - upper[r_velocity]) * h;
    if (p.split) rate[s_energy] = fma_(pi, minus_div, rate[s_energy]);
    // (4): D_phi K div u
    if (p.compaction) {
      const T k = compaction_of(w) * -minus_div;
      rate[s_gamma] = fma_(k, T(p.gamma_g - p.gamma_l), rate[s_gamma]);
      const T pi_rate = k * (p.pi_g - p.pi_l);
      rate[s_pi] = rate[s_pi] + pi_rate;
      if (p.split) rate[s_energy] = rate[s_energy] - pi_rate;
    }
  }

 private:
  // The record of a face at radius r_f of a cell about r, with `area` = r_f / r: a cell is a ring of
  // volume 2 pi r h_x h_r between faces of area 2 pi r_f h_x, so that sums of r times the cells' values
  // change by what passes the sides alone. The pressure of the cell acts on the whole ring, and the
  // radial component of that is p / r. It is taken from the flux of radial momentum before the flux
  // is multiplied: with p/r = ((r + h/2) - (r - h/2)) p / (r h) the sum is the same, and zero to the
  // last bit in a gas at rest.
  template <class T>
  WM_HD Record<T> through(const Record<T>& face, R area, const Primitive<T>& w) const {
    Record<T> f = face;
    f[s_my] = f[s_my] - w[w_p];
    for (int v = s_rho; v <= s_energy; ++v) f[v] = f[v] * area;
    f[r_velocity] = f[r_velocity] * area;
    // With HLLC the record has Gamma and Pi themselves, which move with the face velocity.
    if (!upwind_phi()) {
      f[s_gamma] = f[s_gamma] * area;
      f[s_pi] = f[s_pi] * area;
    }
    return f;
  }
  WM_HD bool upwind_phi() const {
    return variant != Variant::general || p.riemann == Riemann::hllc;
  }

  template <class T, class Window>
  WM_HD schemes::EdgeValues<T> reconstruct(const Window& window, int v, const T& c) const {
    if constexpr (variant == Variant::general) {
      if (p.reconstruction == Reconstruction::first_order) return {c, c};
      const T b = window(v, -1), d = window(v, 1);
      if (p.reconstruction == Reconstruction::weno3) return schemes::weno3(b, c, d, p.weno[v]);
      if (p.reconstruction == Reconstruction::weno5_z) {
        return schemes::weno5_z(T(window(v, -2)), b, c, d, T(window(v, 2)), p.weno[v]);
      }
      return schemes::weno5_js(T(window(v, -2)), b, c, d, T(window(v, 2)), p.weno[v]);
    } else {
      const T a = window(v, -2), b = window(v, -1), d = window(v, 1), f = window(v, 2);
      if constexpr (variant == Variant::z) return schemes::weno5_z(a, b, c, d, f, p.weno[v]);
      return schemes::weno5_js(a, b, c, d, f, p.weno[v]);
    }
  }

  // The cell's own values in place of an edge that is not admissible; 1 where that happened.
  template <class T>
  WM_HD static T fall_back(Primitive<T>& edge, const Primitive<T>& w) {
    const auto good = admissible(edge);
    for (int v = 0; v < states; ++v) edge[v] = select(good, edge[v], w[v]);
    return select(good, T(R(0)), T(R(1)));
  }

  // Zhang and Shu's scaling towards the cell's values until density, Gamma and (Gamma + 1) p + Pi
  // are at least 1e-6 (single: 1e-4) of theirs; 1 where that changed anything. The last is
  // quadratic in theta: its negative terms are bounded by their values at theta = 1.
  template <class T>
  WM_HD static T pull_in(Primitive<T>& edge, const Primitive<T>& w) {
    const R keep = sizeof(R) == 4 ? R(1e-4) : R(1e-6);
    const T one = T(R(1)), none = T(R(0));
    T theta = one;
    for (const int v : {int{w_rho}, int{w_gamma}}) {
      const T fall = w[v] - edge[v], room = (R(1) - keep) * w[v];
      theta = select(fall > room, min_(theta, room * rcp_(fall)), theta);
    }
    const T d_gamma = edge[w_gamma] - w[w_gamma], d_p = edge[w_p] - w[w_p];
    const T linear = fma_(w[w_gamma] + R(1), d_p, fma_(w[w_p], d_gamma, edge[w_pi] - w[w_pi]));
    const T fall = -(min_(linear, none) + min_(d_gamma * d_p, none));
    const T room = (R(1) - keep) * stiff_pressure(w);
    theta = select(fall > room, min_(theta, room * rcp_(fall)), theta);
    const auto changed = theta < one;
    for (int v = 0; v < states; ++v) {
      edge[v] = select(changed, fma_(theta, edge[v] - w[v], w[v]), edge[v]);
    }
    return select(changed, one, none);
  }

  // What a face brings to phi_t of a cell, but for the sign and 1/h.
  template <class T>
  WM_HD T transported(const Record<T>& f, int v, const T& phi) const {
    if constexpr (variant == Variant::general) {
      // The other solvers average phi itself: the record has the flux of phi.
      if (!upwind_phi()) return fma_(-phi, f[r_velocity], f[v]);
    }
    return (f[v] - phi) * f[r_velocity];
  }

  // Kapila's K: alpha_g alpha_l (k_l - k_g) / (alpha_l k_g + alpha_g k_l), k = gamma (p + p_c), of
  // the fluids g and l; 0 in pure fluid and where a k is not positive.
  template <class T>
  WM_HD T compaction_of(const Primitive<T>& w) const {
    const T none = T(R(0)), one = T(R(1));
    const T alpha_g =
        min_(max_((w[w_gamma] - p.gamma_l) * (R(1) / (p.gamma_g - p.gamma_l)), none), one);
    const T alpha_l = one - alpha_g;
    const T k_g = (R(1) + R(1) / p.gamma_g) * (w[w_p] + p.p_c_g);
    const T k_l = (R(1) + R(1) / p.gamma_l) * (w[w_p] + p.p_c_l);
    const T share = alpha_g * alpha_l;
    const auto mixed = and_(share > T(R(1e-9)), and_(k_g > none, k_l > none));
    const T divisor = select(mixed, fma_(alpha_l, k_g, alpha_g * k_l), one);
    return select(mixed, share * (k_l - k_g) * rcp_(divisor), none);
  }
};

// After the last stage: clips Gamma and Pi where asked, and gives the signal of the time step, NaN
// where the new state is not admissible.
template <class R>
struct Finish {
  Vec<R, 3> inverse_spacing{};
  bool split = false;
  bool sum_norm =
      true;  // sum over axes of (|u_d| + c)/h_d, or the largest |u_d| + c over the smallest h
  R inverse_smallest = 0;  // 1 / smallest spacing
  bool clip = false;
  R gamma_lowest = 0, gamma_highest = 0;
  bool limited = false;  // the flux limiter comes yet: a state that is not admissible has no signal

  template <class T>
  WM_HD T signal(const Primitive<T>& w) const {
    return signal_by(w, [&](int a) { return T(inverse_spacing[a]); });
  }
  // inverse(a): 1 over the width of the cell along an axis, a T.
  template <class T, class Inverse>
  WM_HD T signal_by(const Primitive<T>& w, const Inverse& inverse) const {
    const T c = detail::sound_of(w).c;
    T sum = T(R(0)), fastest = T(R(0));
    for (int a = 0; a < 3; ++a) {
      const T speed = abs_(w[w_u + a]);
      if (inverse_spacing[a] > R(0)) {
        sum = fma_(speed + c, inverse(a), sum);
        fastest = max_(fastest, speed);
      }
    }
    const T rate = sum_norm ? sum : (fastest + c) * inverse_smallest;
    return select(admissible(w), rate, limited ? T(R(0)) : root_(T(R(-1))));
  }

  // The new stored values of a cell.
  template <class T>
  WM_HD T operator()(Conserved<T>& s) const {
    return signal(clipped(s));
  }

  // The same as a state, after clipping: where Gamma or Pi is out of its bounds, at the same pressure.
  template <class T>
  WM_HD Primitive<T> clipped(Conserved<T>& s) const {
    Primitive<T> w = primitive_of(s, split);
    if (clip) {
      const T low = T(gamma_lowest), high = T(gamma_highest), none = T(R(0));
      const auto within = and_(and_(w[w_gamma] >= low, w[w_gamma] <= high), w[w_pi] >= none);
      w[w_gamma] = min_(max_(w[w_gamma], low), high);
      w[w_pi] = max_(w[w_pi], none);
      s[s_energy] = select(within, s[s_energy], conserved_of(w, split)[s_energy]);
      s[s_gamma] = w[w_gamma];
      s[s_pi] = w[w_pi];
    }
    return w;
  }
};

}  // namespace watersmeet::multicomponent
