# SPDX-License-Identifier: Apache-2.0
"""A scorer and a task for Inspect: inspect eval kernelassay_client/inspect_scorer.py -T tasks=relu,softmax"""
import asyncio

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import generate

from kernelassay_client import Judge


@scorer(metrics=[mean(), stderr()])
def kernel_scorer(server=None, token=None, backend="cpp", reward="correct", deadline_s=600):
    judge = Judge(server, token)

    async def score(state, target):
        reply = state.output.completion
        # Masked leaves as an exception: Inspect counts an error of the sample, and no score.
        answer = await asyncio.to_thread(judge.score_reply, state.metadata["task"], reply, backend=backend, reward=reward, deadline_s=deadline_s)
        return Score(value=answer["reward"], answer=reply, explanation=answer["feedback"], metadata={"verdict": answer["verdict"], **answer["parts"]})

    return score


@task
def kernels(server=None, token=None, tasks=None, suite=None, backend="cpp", reward="correct"):
    judge = Judge(server, token)
    wanted = tasks.split(",") if isinstance(tasks, str) else tasks
    samples = [Sample(input=judge.prompt(each["name"], backend), target="", metadata={"task": each["name"]}) for each in judge.tasks()
               if backend in each["backends"] and (wanted is None or each["name"] in wanted) and (suite is None or suite in each["suites"])]
    return Task(dataset=MemoryDataset(samples), solver=generate(), scorer=kernel_scorer(server, token, backend, reward))
