"""Watersmeet for Spack. In a checkout: spack repo add packaging/spack; spack dev-build --source-path . watersmeet@0.1.0"""
from spack.package import *


class Watersmeet(CMakePackage, CudaPackage):
    """Fluid dynamics on structured grids."""

    license("Apache-2.0")
    version("0.1.0")

    variant("mpi", default=True, description="Runs on several ranks")
    variant("cgns", default=True, description="Meshes in CGNS files")
    variant("python", default=True, description="The Python package, which draws pictures")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("fmt@9:")
    depends_on("cli11@2:", type="build")
    depends_on("tomlplusplus@3:", type="build")
    depends_on("nlohmann-json@3:", type="build")
    depends_on("eigen@3.4:3", type="build")
    depends_on("muparser@2:")
    depends_on("libpng@1.6:")
    depends_on("hdf5+hl+mpi", when="+mpi")
    depends_on("hdf5+hl~mpi", when="~mpi")
    depends_on("mpi", when="+mpi")
    depends_on("cgns", when="+cgns")
    depends_on("cuda@12:", when="+cuda")
    depends_on("python@3.10:", type=("build", "run"), when="+python")
    depends_on("py-numpy", type="run", when="+python")
    depends_on("py-h5py", type="run", when="+python")
    depends_on("py-matplotlib", type="run", when="+python")

    # A header of templates, of which Spack has no package.
    resource(name="kissfft", git="https://github.com/mborgerding/kissfft.git", tag="131.1.0", placement="kissfft")

    generator("ninja")
    conflicts("cuda_arch=none", when="+cuda", msg="name the architectures: cuda_arch=80,90")

    def cmake_args(self):
        args = [
            self.define_from_variant("WATERSMEET_CUDA", "cuda"),
            self.define_from_variant("WATERSMEET_CGNS", "cgns"),
            self.define("WATERSMEET_MPI", "AUTO" if self.spec.satisfies("+mpi") else "OFF"),
            self.define("WATERSMEET_PYTHON", False),  # the compiled module needs nanobind
            self.define("WATERSMEET_TESTS", self.run_tests),
            self.define("WATERSMEET_ARCH", ""),  # Spack's compiler wrapper says it
            self.define("WATERSMEET_KISSFFT_INCLUDE", join_path(self.stage.source_path, "kissfft")),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args

    def setup_run_environment(self, env):
        env.prepend_path("PYTHONPATH", self.prefix.lib.python3.join("dist-packages"))
