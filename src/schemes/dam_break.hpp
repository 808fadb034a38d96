#pragma once
// The exact solution of a dam break over a flat bed: water at rest of depth h_left for x < 0 and of
// the smaller depth h_right, which may be 0, for x > 0. A rarefaction runs to the left, a bore or,
// over a dry bed, the front of the rarefaction itself to the right (Ritter 1892; Stoker 1957, Water
// Waves, section 10.8).

namespace watersmeet::schemes {

class DamBreak {
 public:
  struct Water {
    double h, u;
  };

  // h_left > h_right >= 0; else an internal error.
  DamBreak(double h_left, double h_right, double g);

  Water star() const { return star_; }     // between rarefaction and bore
  double front() const { return front_; }  // speed of the bore, or of the edge of the water
  Water at(double x_over_t) const;

 private:
  double h_left_, h_right_, g_, c_left_, front_;
  Water star_;
};

}  // namespace watersmeet::schemes
