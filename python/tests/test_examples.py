import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "python" / "examples").glob("*.py"))
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?")


def run(words, folder):
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def agree(shown, printed):
    """The same words, and numbers that differ by no more than the last two places; nothing that is below 1e-9 is more than rounding."""
    assert NUMBER.sub("#", shown) == NUMBER.sub("#", printed)
    for a, b in zip(NUMBER.findall(shown), NUMBER.findall(printed)):
        last = 10.0 ** -len(a.partition("e")[0].partition(".")[2]) if "e" not in a else 1e-9
        assert float(a) == pytest.approx(float(b), rel=0, abs=2 * last), (shown, printed)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_is_what_the_page_shows(example, tmp_path):
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    block = f"```python\n# {example.name}\n{example.read_text(encoding='utf-8')}```\n\n```text\n"
    assert block in page, f"docs/python.md shows another {example.name}"
    printed = run([example], tmp_path)
    assert printed.strip()
    if "no picture" not in printed:
        agree(page.partition(block)[2].partition("```")[0], printed)


def test_the_phase_plot_is_drawn(tmp_path):
    image = pytest.importorskip("matplotlib.image")
    run([ROOT / "python" / "examples" / "phase_plot.py", "plot.png"], tmp_path)
    pixels = image.imread(tmp_path / "plot.png")[:, :, :3]
    assert pixels.shape == (480, 720, 3)
    blue = (pixels[:, :, 2] > 0.6) & (pixels[:, :, 0] < 0.3)  # the spiral, from one end of the axis to the other
    columns = blue.any(axis=0).nonzero()[0]
    assert columns[-1] - columns[0] > 400


def test_the_readme_runs():
    blocks = (ROOT / "python" / "README.md").read_text(encoding="utf-8").split("```python\n")[1:]
    assert blocks
    for block in blocks:
        run(["-c", block.split("```")[0]], ROOT)
