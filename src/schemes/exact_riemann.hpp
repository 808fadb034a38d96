#pragma once
// Exact solution of the Riemann problem of two stiffened gases, p + p_c = (gamma - 1)(rho e - p_c),
// each side with its own gamma and p_c, which jump at the contact; and states behind a shock.
//
//        t       left wave      contact    right wave        a wave is a shock (one speed) or a
//        |         \  \  |  star  /  star  |                 rarefaction (a fan between head and
//        |    left  \  \ | left  /  right  |   right         tail; the head faces the outer state)
//        +-------------------- x
//
// Godunov's method on the star pressure, with P = p + p_c in place of p (Toro, Riemann Solvers and
// Numerical Methods for Fluid Dynamics, 2009, chapter 4; Menikoff and Plohr, Rev. Mod. Phys. 61,
// 1989, for the equation of state). Host code: references of tests and states of initial shocks.

namespace watersmeet::schemes {

// One state with the equation of state it obeys; `u` is the velocity along x.
struct GasState {
  double rho = 1, u = 0, p = 1;
  double gamma = 1.4, p_c = 0;
};
double sound_speed(const GasState& state);  // sqrt(gamma (p + p_c) / rho)

class ExactRiemann {
 public:
  // A shock has head == tail.
  struct Wave {
    bool shock = false;
    double head = 0, tail = 0;
  };

  // Throws Error{user_input} when a state is outside its equation of state (rho > 0, gamma > 1,
  // p + p_c > 0), and when the two sides part so fast that a vacuum or cavity opens between them.
  ExactRiemann(const GasState& left, const GasState& right);

  double star_pressure() const { return p_star_; }
  double star_velocity() const { return u_star_; }  // also the speed of the contact
  const GasState& left_star() const { return left_star_; }
  const GasState& right_star() const { return right_star_; }
  const Wave& left_wave() const { return left_wave_; }
  const Wave& right_wave() const { return right_wave_; }

  // The state on the ray x / t; on the contact itself the right one.
  GasState sample(double x_over_t) const;

 private:
  GasState left_, right_, left_star_, right_star_;
  Wave left_wave_, right_wave_;
  double p_star_ = 0, u_star_ = 0;
};

// A shock that runs into the state `ahead`.
struct Shock {
  GasState behind;
  double speed = 0;  // along x, in the frame in which `ahead` has its u
  double mach = 1;   // |speed - ahead.u| over the sound speed ahead
};
// direction: +1 when the shock runs towards larger x, -1 otherwise. Throw Error{user_input} when
// the jump is not above 0 or the Mach number not above 1 (an expansion shock lowers the entropy),
// or a state is outside the equation of state.
Shock shock_with_jump(const GasState& ahead, double pressure_jump, int direction);
Shock shock_with_mach(const GasState& ahead, double mach, int direction);

}  // namespace watersmeet::schemes
