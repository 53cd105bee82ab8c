# SPDX-License-Identifier: Apache-2.0
"""A client of `assay serve`, of the standard library alone.

    judge = Judge()                                # ASSAY_SERVER and ASSAY_TOKEN, or http://127.0.0.1:8011
    answer = judge.score("relu", source)           # docs/score.md describes answers
    if answer["masked"]: ...                       # not the candidate's fault: leave it out
"""
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

__all__ = ["Judge", "JudgeError", "Masked"]


class JudgeError(RuntimeError):
    """The server refused a request, or cannot be reached."""

    def __init__(self, message, status=0):
        super().__init__(message)
        self.status = status


class Masked(RuntimeError):
    """There is no reward, and it is not the candidate's fault."""


class Judge:
    def __init__(self, server=None, token=None, timeout=3600, tries=8):
        self.server = (server or os.environ.get("ASSAY_SERVER") or "http://127.0.0.1:8011").rstrip("/")
        self.token = token if token is not None else os.environ.get("ASSAY_TOKEN", "")
        self.timeout, self.tries = timeout, tries

    def tasks(self):
        return json.loads(self._ask("/tasks"))["tasks"]

    def prompt(self, task, backend="cpp"):
        return self._ask(f"/tasks/{urllib.parse.quote(task, safe='')}/prompt?{urllib.parse.urlencode({'backend': backend})}")

    def score(self, task, source, **sample):
        """The answer. `source`: a text, or a dict of texts by the names of their files. `sample` may have backend, reward, stages, deadline_s, id, reuse."""
        return json.loads(self._ask("/score", {"task": task, "source": source, **sample}))

    def score_reply(self, task, text, **sample):
        """The answer to the candidate in what a model said, as `assay generate` takes it; raises Masked."""
        request = {"task": task, **sample, "response": {"output": [{"type": "message", "role": "assistant", "content": text}]}}
        try:
            return json.loads(self._ask("/verify", request))["assay"]
        except JudgeError as error:
            if error.status == 503 and "masked" in str(error):
                raise Masked(str(error)) from None
            raise

    def _ask(self, path, body=None):
        request = urllib.request.Request(self.server + path, None if body is None else json.dumps(body).encode())
        if body is not None:
            request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", "Bearer " + self.token)
        for attempt in range(self.tries):
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as response:
                    return response.read().decode()
            except urllib.error.HTTPError as error:
                if error.code != 429 or attempt + 1 == self.tries:
                    raise JudgeError(_words_of(error), error.code) from None
            except OSError as error:
                if attempt + 1 == self.tries:
                    raise JudgeError(f"{self.server} cannot be reached: {error}") from None
            time.sleep(min(30, 2 ** attempt))
        raise JudgeError("not asked")


def _words_of(error):
    try:
        return json.loads(error.read().decode())["error"]
    except (ValueError, KeyError, TypeError):
        return f"status {error.code}"
