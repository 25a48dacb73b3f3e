"""The extension module detent._detent: declarations are those of the headers, as the C preprocessor leaves them."""
import pathlib
import subprocess
import sysconfig
import tempfile

import cffi

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ["detent/detent.h", "detent/analysis.h", "detent/import.h"]

# Signals of the terminal end a call, also a long one, as they end Python's own loops. Python is asked every so many steps: that
# takes its lock.
INTERRUPT = """
typedef struct { unsigned calls; int stopped; } detent_py_interrupt;
"""
SOURCE = (
    "".join(f'#include "{header}"\n' for header in HEADERS)
    + INTERRUPT
    + """
static detent_request detent_py_ask(void *user)
{
    detent_py_interrupt *state = user;
    if (++state->calls % 64 == 0) {
        PyGILState_STATE lock = PyGILState_Ensure();
        state->stopped = PyErr_CheckSignals() != 0;
        if (state->stopped) {
            PyErr_Clear();
        }
        PyGILState_Release(lock);
    }
    return state->stopped ? DETENT_STOP : DETENT_GO_ON;
}
static void detent_py_interrupt_by(detent_simulation_options *options, detent_py_interrupt *state)
{
    options->interrupt = detent_py_ask;
    options->interrupt_user = state;
}
"""
)


def declarations():
    """What the headers declare, without what only a compiler wants to know."""
    with tempfile.TemporaryDirectory() as stubs:
        for name in ("stdbool.h", "stddef.h"):  # cffi knows these types
            (pathlib.Path(stubs) / name).write_text("")
        compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
        text = "".join(f"#include <{header}>\n" for header in HEADERS)
        return subprocess.run(
            [compiler, "-E", "-P", "-nostdinc", "-DDETENT_API=", f"-I{stubs}", f"-I{ROOT / 'include'}", "-"],
            input=text, capture_output=True, check=True, text=True,
        ).stdout


builder = cffi.FFI()
builder.cdef(declarations())
builder.cdef('extern "Python" int detent_py_function(void *, const double *, double *, double *);')
builder.cdef(INTERRUPT + "void detent_py_interrupt_by(detent_simulation_options *, detent_py_interrupt *);")
builder.set_source("detent._detent", SOURCE, include_dirs=[str(ROOT / "include")], extra_compile_args=["-O2"])
