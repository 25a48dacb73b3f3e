"""Builds the library by CMake, as a static one, and links the extension module with it: the wheel carries it."""
import os
import pathlib
import re
import subprocess

from setuptools import setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
# A build that is there already may be taken, by its folder.
BUILD = pathlib.Path(os.environ.get("DETENT_BUILD_DIR", ROOT / "build" / "python"))


def version():
    header = (ROOT / "include" / "detent" / "detent.h").read_text()
    return re.search(r'#define DETENT_VERSION +"([0-9.]+)', header).group(1)


class BuildLibrary(build_ext):
    """The static library comes first; what it is linked with stands in the file for pkg-config that is made with it."""

    def run(self):
        if "DETENT_BUILD_DIR" not in os.environ:  # else it is configured as somebody wants it
            subprocess.run(
                ["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DDETENT_BUILD_TESTS=OFF"],
                check=True,
            )
        subprocess.run(["cmake", "--build", BUILD, "--target", "detent_static"], check=True)
        described = (BUILD / "detent.pc").read_text()
        libraries = re.search(r"^Libs\.private:(.*)$", described, re.MULTILINE).group(1).split()
        for extension in self.extensions:
            extension.extra_objects = [os.fspath(BUILD / "libdetent.a")]
            extension.extra_link_args = libraries
        super().run()


setup(version=version(), cffi_modules=["python/binding.py:builder"], cmdclass={"build_ext": BuildLibrary})
