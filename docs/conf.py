"""Sphinx: the Markdown files as they are, and the reference from Doxygen's XML. scripts/docs puts the files together and calls it."""
from pygments.lexers.special import TextLexer

project = "detent"
author = "the authors of detent"
extensions = ["myst_parser", "breathe"]
root_doc = "README"
source_suffix = {".md": "markdown"}
exclude_patterns = ["mechanisms", "examples", "include", "schema"]
html_theme = "alabaster"
html_theme_options = {"description": "Mechanisms whose joints really stick", "page_width": "1100px", "sidebar_width": "240px", "font_family": "sans-serif", "head_font_family": "sans-serif"}
html_show_sphinx = False
html_copy_source = False
myst_heading_anchors = 4
breathe_projects = {"detent": "../build/docs/doxygen/xml"}
breathe_default_project = "detent"
breathe_domain_by_extension = {"h": "c"}
breathe_default_members = ("members", "undoc-members")
breathe_show_include = False
primary_domain = "c"
c_extra_keywords = ["alignas", "alignof", "noreturn", "static_assert", "thread_local"]  # `imaginary` is a member
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]  # of lexers that do not know all of YAML or of a shell


def setup(app):
    for name in ("mermaid", "csv"):  # not lexed
        app.add_lexer(name, TextLexer)
