import pathlib
import subprocess
import sys

import pytest

EXAMPLES = sorted((pathlib.Path(__file__).resolve().parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(example, tmp_path):
    done = subprocess.run([sys.executable, example], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_readme_runs(tmp_path):
    readme = (EXAMPLES[0].parents[1] / "README.md").read_text()
    blocks = readme.split("```python\n")[1:]
    assert blocks
    for block in blocks:
        code = block.split("```")[0]
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=EXAMPLES[0].parents[2], capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr
