"""Strongly connected components of a graph."""

from __future__ import annotations

from collections.abc import Sequence


def components(follows: Sequence[Sequence[int]]) -> list[int]:
    """The component number of each node, in reverse topological order.

    Tarjan's algorithm, iterative because premises can be long.

    Args:
        follows: successors of each node.
    """
    size = len(follows)
    index = [0] * size
    low = [0] * size
    component = [-1] * size
    stack: list[int] = []
    clock = found = 0
    for root in range(size):
        if index[root]:
            continue
        work = [(root, 0)]
        while work:
            p, turn = work.pop()
            if not turn:
                clock += 1
                index[p] = low[p] = clock
                stack.append(p)
            for position in range(turn, len(follows[p])):
                q = follows[p][position]
                if not index[q]:
                    work += [(p, position + 1), (q, 0)]
                    break
                if component[q] < 0 and index[q] < low[p]:
                    low[p] = index[q]
            else:
                if low[p] == index[p]:
                    while component[p] < 0:
                        component[stack.pop()] = found
                    found += 1
                if work and low[p] < low[work[-1][0]]:
                    low[work[-1][0]] = low[p]
    return component
