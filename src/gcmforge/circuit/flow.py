# SPDX-License-Identifier: Apache-2.0
"""Minimum cut by Dinic's algorithm, for graphs of some ten thousand nodes with small capacities."""

from __future__ import annotations

INFINITE = 1 << 40


class FlowGraph:
    """A directed graph with integer capacities; nodes 0 (source), 1 (sink), then as added."""

    SOURCE = 0
    SINK = 1

    def __init__(self) -> None:
        self.edges: list[list[int]] = [[], []]
        self.head: list[int] = []
        self.capacity: list[int] = []

    def add_node(self) -> int:
        self.edges.append([])
        return len(self.edges) - 1

    def add_edge(self, tail: int, head: int, capacity: int, back: int = 0) -> None:
        """An edge of `capacity` and, in the other direction, one of `back`."""
        self.edges[tail].append(len(self.head))
        self.edges[head].append(len(self.head) + 1)
        self.head += (head, tail)
        self.capacity += (capacity, back)

    def source_side(self) -> list[bool]:
        """Saturate the graph; the nodes that the source still reaches are its side of a least cut.

        Raises ValueError when no finite cut exists.
        """
        while True:
            level = self._levels()
            if level[self.SINK] < 0:
                return [depth >= 0 for depth in level]
            self._blocking_flow(level)

    def _levels(self) -> list[int]:
        """Distance from the source over edges with capacity left; -1 where it does not reach."""
        level = [-1] * len(self.edges)
        level[self.SOURCE] = 0
        front = [self.SOURCE]
        head, capacity = self.head, self.capacity
        while front and level[self.SINK] < 0:
            after = []
            for node in front:
                depth = level[node] + 1
                for edge in self.edges[node]:
                    if capacity[edge] and level[head[edge]] < 0:
                        level[head[edge]] = depth
                        after.append(head[edge])
            front = after
        return level

    def _blocking_flow(self, level: list[int]) -> None:
        """Push flow along shortest paths until each is saturated."""
        position = [0] * len(self.edges)
        head, capacity = self.head, self.capacity
        path: list[int] = []
        node = self.SOURCE
        while True:
            if node == self.SINK:
                node = self._augment(path)
                continue
            edges = self.edges[node]
            at, depth = position[node], level[node] + 1
            while at < len(edges):
                edge = edges[at]
                if capacity[edge] and level[head[edge]] == depth:
                    break
                at += 1
            position[node] = at
            if at < len(edges):
                path.append(edges[at])
                node = head[edges[at]]
            elif path:
                node = head[path.pop() ^ 1]
                position[node] += 1
            else:
                return

    def _augment(self, path: list[int]) -> int:
        """Fill the path; shorten it to its first full edge and return the node there."""
        amount = min(self.capacity[edge] for edge in path)
        if amount >= INFINITE:
            raise ValueError("no finite cut separates source and sink")
        first_full = len(path)
        for place in range(len(path) - 1, -1, -1):
            edge = path[place]
            if self.capacity[edge] < INFINITE:
                self.capacity[edge] -= amount
                if self.capacity[edge] == 0:
                    first_full = place
            if self.capacity[edge ^ 1] < INFINITE:
                self.capacity[edge ^ 1] += amount
        node = self.head[path[first_full] ^ 1]
        del path[first_full:]
        return node
