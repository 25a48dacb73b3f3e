"""Records as ncdump tells them: a reader of their own would share the mistakes of the program."""
import re
import subprocess


def _items(text):
    """Texts and numbers of a list with commas between them."""
    for match in re.finditer(r'"((?:[^"\\]|\\.)*)"|([^\s,"]+)', text):
        if match.group(2) is None:
            yield re.sub(r"\\(.)", lambda escape: {"n": "\n", "t": "\t"}.get(escape.group(1), escape.group(1)), match.group(1))
        else:
            word = match.group(2)
            yield float("nan") if word in ("_", "NaN", "NaNf") else float(word.rstrip("bsL"))


class Record:
    """Dimensions, attributes and values of a NetCDF file; a text of characters is one string. Variables are dumped as they are asked for."""

    def __init__(self, path):
        self.path = path
        self.head = self._dump("-h")
        self.dimensions = {
            name: int(grows or fixed)
            for name, grows, fixed in re.findall(r"^\t(\w+) = (?:UNLIMITED ; // \((\d+) currently\)|(\d+) ;)", self.head, re.M)
        }
        self._values = {}

    def _dump(self, *options):
        dump = ["ncdump", "-p", "9,17", *options, self.path]
        return subprocess.run(dump, check=True, capture_output=True, encoding="utf-8").stdout

    def values(self, name):
        if name not in self._values:
            found = []
            if re.search(r"^\t\w+ %s\W" % name, self.head, re.M):
                text = self._dump("-v", name).split("\ndata:\n", 1)[1]
                found = list(_items(text[text.index("=") + 1 : text.rindex(";")])) if "=" in text else []
            if re.search(r"^\tstring %s\W" % name, self.head, re.M):  # an empty one is shown as the lack of one
                found = ["" if text != text else text for text in found]
            self._values[name] = found
        return self._values[name]

    def text(self, name):
        return "".join(self.values(name))

    def rows(self, name, width):
        all_of = self.values(name)
        return [all_of[i : i + width] for i in range(0, len(all_of), width)] if width else []

    def attribute(self, name):
        """Of the file ("title"), or of a variable ("settings:rtol")."""
        prefix, _, own = name.rpartition(":")
        match = re.search(r"^\t\t%s:%s = (.*) ;$" % (prefix, own), self.head, re.M)
        return list(_items(match.group(1)))[0] if match else None
