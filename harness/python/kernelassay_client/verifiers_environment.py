# SPDX-License-Identifier: Apache-2.0
"""An environment for the library `verifiers`: prompts are those of `assay serve`, and so are rewards.

    vf.load_environment("kernelassay")   # where the package is installed by that name, or
    load_environment(tasks=["relu", "softmax"], reward="correct")
"""
import asyncio

import verifiers as vf
from datasets import Dataset

from . import Judge


def load_environment(server=None, token=None, tasks=None, suite=None, backend="cpp", reward="correct", deadline_s=600, **more):
    judge = Judge(server, token)
    chosen = [task for task in judge.tasks()
              if backend in task["backends"] and (tasks is None or task["name"] in tasks) and (suite is None or suite in task["suites"])]
    unknown = set(tasks or ()) - {task["name"] for task in chosen}
    if unknown or not chosen:
        raise ValueError(f"{judge.server} has no such task for {backend}: {' '.join(sorted(unknown)) or suite or 'any'}")
    rows = [{"prompt": [{"role": "user", "content": judge.prompt(task["name"], backend)}], "answer": "", "info": {"task": task["name"]}} for task in chosen]

    async def kernel_reward(completion, info, state):
        text = completion if isinstance(completion, str) else completion[-1]["content"]
        # Masked leaves as an exception, which ends the rollout; a 0 would be learnt from.
        answer = await asyncio.to_thread(judge.score_reply, info["task"], text or "", backend=backend, reward=reward, deadline_s=deadline_s)
        state["assay"] = answer
        return float(answer["reward"])

    return vf.SingleTurnEnv(dataset=Dataset.from_list(rows), rubric=vf.Rubric(funcs=[kernel_reward], weights=[1.0]), **more)
