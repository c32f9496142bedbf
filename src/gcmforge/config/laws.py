# SPDX-License-Identifier: Apache-2.0
"""What follows from a configuration: widths, depths of queues, cycles. The laws of engines are in
their descriptors; those here are of what every core has, and each names its module."""

from gcmforge.config.chosen import Chosen

KEYS_CYCLES = 5
"""gcm_keys: from a key's handshake, while no packet is under way, until its subkey is asked for,
without those of the round keys."""
LOAD_MARGIN_CYCLES = 14
"""What the bound of a key load has over these: handshakes between the modules, and slack."""
ERASE_CYCLES = 4
"""gcm_erase: those of erasing in which no key is loaded and no packet of zeros is under way."""
FRONT_CYCLES = 1
"""gcm_front: from a port to gcm_issue."""
SLOT_CYCLES = 3
"""gcm_slots_queue: from a slot's facts to the slot."""
RELEASE_CYCLES = 2
"""gcm_release_verified: from the verdict to the first beat out."""
BACK_CYCLES = 1
"""gcm_back: from a beat that is let out to m_axis."""
ERASE_MARGIN_CYCLES = 28
"""What the bound of erasing has over these: handshakes between the modules, and slack."""


class Laws(Chosen):
    """Options, the engines that they choose, and what follows from both."""

    __slots__ = ()

    @property
    def data_bits(self) -> int:
        """Width of tdata on s_axis and m_axis, in bits."""
        return 128 * self.lanes

    @property
    def aes_lanes(self) -> int:
        """Blocks of a beat in the AES: those of the text, and J0 where it has its own."""
        return self.lanes + self.own_j0

    @property
    def own_j0(self) -> bool:
        """Whether J0, whose cipher block closes the tag, has an AES lane of its own."""
        return self.j0 == "dedicated"

    @property
    def ghash_lanes(self) -> int:
        """Blocks of a beat in the GHASH: those of the text and of the AAD that comes with it."""
        return self.lanes + self.aad_lanes

    @property
    def context_bits(self) -> int:
        """Width of a context number, in bits: at least one, also with a single context."""
        return max(1, (self.contexts - 1).bit_length())

    @property
    def rounds(self) -> int:
        """AES rounds of the largest key size that is built (FIPS 197, section 5)."""
        return max(self.key_sizes) // 32 + 6

    @property
    def aes_latency_cycles(self) -> int:
        """From a counter block to its key stream, with the largest key (law of the AES engine)."""
        return self.aes_engine.latency_cycles(self._core, self.rounds)

    @property
    def ghash_latency_cycles(self) -> int:
        """From a message's last beat to its digest, at most (laws of the GHASH architecture and of
        gcm_tail)."""
        tail = self.tail_engine.latency_cycles(self._core)
        return self.ghash_engine.latency_cycles(self._core) + tail

    @property
    def aes_turn(self) -> tuple[int, int]:
        """Beats that the AES takes in one turn, one a cycle, and the cycles of a turn, with the
        smallest key (law of the AES engine)."""
        return self.aes_engine.turn(self._core)

    @property
    def cycles_per_beat(self) -> int:
        """Cycles between beats of a long text, with the largest key: the average, rounded up."""
        own, core = self.architecture, self._core
        return own.beat_cycles(core) if own else max(self.aes_beat_cycles, self.ghash_block_cycles)

    @property
    def aes_beat_cycles(self) -> int:
        """The same as far as the AES decides it."""
        return self.aes_engine.beat_cycles(self._core)

    @property
    def ghash_block_cycles(self) -> int:
        """Cycles from one beat into GHASH to the next (law of the GHASH architecture)."""
        return self.ghash_engine.block_cycles(self._core)

    def packet_slots(self, aad_bytes: int, text_bytes: int) -> int:
        """Slots of a packet with an IV of 96 bits: its beats, and one more where J0 and the length
        block find no place in them (law of gcm_issue)."""
        beat = 16 * self.lanes
        if aad_bytes <= 16 * self.aad_lanes:
            aad_bytes = 0  # with the first beat of text
        aad_beats, text_beats = -(-aad_bytes // beat), -(-text_bytes // beat)
        beats = max(1, aad_beats + text_beats)
        if self.own_j0 or (self.tail_engine.dedicated and aad_beats):
            return beats
        if self.ahead and text_beats:
            return beats + 1
        before_last = max(0, (text_beats or aad_beats) - 1) * beat
        full = (text_bytes or aad_bytes) - before_last > beat - 16
        return beats + (full or self._last_beat_carries(text_bytes))

    def _last_beat_carries(self, text_bytes: int) -> bool:
        """Whether the lanes of a text's last beat, which share what their counters have in common,
        have counters on both sides of a multiple of 256; the first counter is 2."""
        blocks = -(-text_bytes // 16)
        if self.counter_sharing == "off" or not blocks:
            return False
        first = 2 + (blocks - 1) // self.lanes * self.lanes
        return first // 256 != (blocks + 1) // 256

    @property
    def slot_depth(self) -> int:
        """Slots between gcm_issue and gcm_join: what the AES holds of them, and the next ones."""
        return self.slots_engine.depth(self._core)

    @property
    def in_step(self) -> bool:
        """Whether slots move on all together, one place a cycle."""
        return self.slots_engine.in_step

    @property
    def ahead(self) -> bool:
        """Whether the key stream of a packet is made before its text comes."""
        return self.slots_engine.ahead

    @property
    def ahead_depth(self) -> int:
        """Packets that gcm_ahead has places for; 0 where there is none."""
        return (self.ahead_places or self.full_ahead_depth) if self.ahead else 0

    @property
    def full_ahead_depth(self) -> int:
        """Packets that fill the AES with key stream, when each has one beat of text, and J0's."""
        return self.aes_latency_cycles // 2 + 1

    @property
    def tag_depth(self) -> int:
        """Packets that gcm_tag has places for."""
        return self.tag_places or self.full_tag_depth

    @property
    def full_tag_depth(self) -> int:
        """Packets between their last beat and m_tag, when each of them is one beat."""
        beats, cycles = self.aes_turn
        if self.ghash_block_cycles > 1:  # a packet has a block for GHASH at least
            beats, cycles = 1, max(cycles // beats, self.ghash_block_cycles)
        turns, rest = divmod(self.tag_cycles, cycles)
        return turns * beats + min(rest, beats) + 1

    @property
    def tag_cycles(self) -> int:
        """From one packet to the next in a place of gcm_tag, when tags are taken at once."""
        return self.ghash_latency_cycles + 3

    @property
    def verdict_cycles(self) -> int:
        """From a packet's last slot, where text and key stream meet, to its verdict, at most."""
        return self.ghash_latency_cycles + 1

    @property
    def release_depth(self) -> int:
        """Beats of the packet buffer (law of gcm_release); 0 where nothing is held back."""
        return self.release_engine.depth(self._core)

    @property
    def full_release_depth(self) -> int:
        """Beats with which packets of max_text_bytes follow each other without a pause."""
        return self.release_engine.full_depth(self._core)

    @property
    def full_throughput(self) -> bool:
        """Whether the packet buffer is deep enough for that."""
        return self.release_depth >= self.full_release_depth

    @property
    def packet_beats(self) -> int:
        """The most beats of text that a packet has: those of bytes, and a last one without any."""
        return -(-self.max_text_bytes // (16 * self.lanes)) + 1

    @property
    def guarded(self) -> bool:
        """Whether gcm_axis_guard is around the core."""
        return self.zeroise == "on" or self.iv == "counter" or self.timeout > 0

    @property
    def erase_packets(self) -> int:
        """Packets of one beat after which every queue has gone round."""
        return max(self.slot_depth, self.tag_depth, self.release_depth) + 2

    @property
    def erase_cycles(self) -> int:
        """From a request to the end of erasing, at most: the key loads, the packets, and the way of
        the last of them (law of gcm_erase)."""
        waits = -(-self.tag_cycles // self.tag_depth)  # for a place in gcm_tag
        packets = self.erase_packets * max(2 * self.cycles_per_beat, waits)
        last = (
            FRONT_CYCLES
            + self.pass_cycles
            + SLOT_CYCLES
            + self.verdict_cycles
            + RELEASE_CYCLES
            + BACK_CYCLES
        )
        loads = self.contexts * self.key_load_cycles
        return ERASE_CYCLES + loads + packets + last + ERASE_MARGIN_CYCLES

    @property
    def key_load_cycles(self) -> int:
        """From a key's handshake until its context is usable, at most, while nothing is under way
        (laws of gcm_keys and of who makes the subkey)."""
        if self.architecture:
            return self.architecture.key_cycles(self._core)
        return KEYS_CYCLES + self.key_unit_engine.load_cycles(self._core) + LOAD_MARGIN_CYCLES

    @property
    def pass_cycles(self) -> int:
        """From a block to its key stream, at most, whichever the AES engine."""
        places = self.aes_engine.ring(self._core)
        return self.aes_engine.latency_cycles(self._core, self.rounds) * places + 4

    @property
    def iv_any(self) -> bool:
        """Whether initialisation vectors of other lengths than 96 bits are taken."""
        return self.iv == "any"

    @property
    def length_first(self) -> bool:
        """Whether tags are those of Yang 2005, equation (3), and not those of SP 800-38D."""
        return self.ghash_engine.lengths_first
