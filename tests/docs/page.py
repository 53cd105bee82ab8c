# SPDX-License-Identifier: Apache-2.0
"""A page of Markdown: its headings' anchors, links, spans of code and fenced blocks, each with its line."""
import dataclasses
import re


@dataclasses.dataclass
class Block:
    line: int
    language: str
    mark: str  # what stands in a comment right above: <!-- run: add a task -->
    text: str


class Page:
    def __init__(self, path):
        self.path = path
        self.blocks, prose, fence = [], [], None
        for number, line in enumerate(path.read_text().split("\n"), 1):
            if fence is None and line.startswith("```"):
                above = re.fullmatch(r"<!-- (.*) -->", prose[-1]) if prose else None
                fence = Block(number + 1, line[3:].strip(), above[1] if above else "", "")
            elif fence is not None and line.startswith("```"):
                self.blocks.append(fence)
                fence = None
            elif fence is not None:
                fence.text += line + "\n"
                prose.append("")
                continue
            else:
                prose.append(line)
                continue
            prose.append("")
        self.prose = "\n".join(prose)
        self.is_closed = fence is None

    def _line_at(self, position):
        return self.prose.count("\n", 0, position) + 1

    def links(self):
        for match in re.finditer(r"\[[^\]]*\]\(([^)\s]+)\)", self.prose):
            yield self._line_at(match.start()), match[1]

    def spans(self):
        """Code within text; it may go on in the next line."""
        for match in re.finditer(r"`([^`]+)`", self.prose):
            if "\n\n" not in match[1]:
                yield self._line_at(match.start()), " ".join(match[1].split())

    def anchors(self):
        """As GitHub makes them of headings."""
        seen, anchors = {}, set()
        for match in re.finditer(r"^#+ +(.*?) *$", self.prose, re.MULTILINE):
            anchor = re.sub(r"[^\w\- ]", "", match[1].lower()).replace(" ", "-")
            count = seen[anchor] = seen.get(anchor, -1) + 1
            anchors.add(anchor if count == 0 else f"{anchor}-{count}")
        return anchors
