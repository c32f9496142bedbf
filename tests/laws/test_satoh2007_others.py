# SPDX-License-Identifier: Apache-2.0
"""What Satoh 2007 has around four AES and multipliers (Table 2, "others") makes GCM of them."""

import random
from pathlib import Path

import pytest
from bench import Bench, Instance, Sink, Source, at_random, compile_bench, ports, run
from bench import side_by_side as top_of
from leaf_models import aes_texts, multiplier_text

import gcmforge.study.papers
from gcmforge.config.presets import load_config
from gcmforge.emit.core import core_files
from gcmforge.emit.package import gcm_pkg
from gcmforge.emit.rtl import gather, handwritten
from gcmforge.model import encrypt
from gcmforge.model.gcm import bit_lengths

pytestmark = pytest.mark.slow

MESSAGES = 12
OTHERS = Path(gcmforge.study.papers.__file__).parent / "rtl" / "satoh2007_others.sv"


def library():
    config = load_config(None, "satoh2007", ("key_sizes=128", "sbox=table"))
    files, names, _ = core_files(config, prove=False)
    known = {Path(name).stem: files[name] for name in names}
    texts = {}
    for part in ("gcm_aes", "gcm_ghash"):
        texts |= gather(part, {}, known)
    texts |= {"aes_key_expand": handwritten()["aes_key_expand"].read_text()}
    texts |= aes_texts(1) | {"gf128_mul": multiplier_text(1)}
    texts["satoh2007_others"] = OTHERS.read_text()
    texts["satoh2007_core"] = Path(__file__).with_name("satoh2007_core.sv").read_text()
    widths = ports(
        key_start_i=1, key_i=128, idle_o=1, start_valid_i=1, start_ready_o=1, start_decrypt_i=1,
        start_iv_i=96, start_beats_i=32, start_lengths_i=128, in_valid_i=1, in_ready_o=1,
        in_data_i=512, in_mask_i=512, in_count_i=3, in_text_i=1, in_last_i=1, out_valid_o=1,
        out_data_o=512, tag_valid_o=1, tag_o=128,
    )  # fmt: skip
    one = Instance(prefix="core", module="satoh2007_core", parameters={}, ports=widths)
    texts["laws_top"] = top_of([one])
    return compile_bench("laws_top", {"gcm_pkg": gcm_pkg(config), **texts})


def words(decrypt, aad, text):
    """Beats of 64 bytes: AAD, then text; a message has one at least."""
    beats = [(0, aad[n : n + 64]) for n in range(0, len(aad), 64)]
    beats += [(1, text[n : n + 64]) for n in range(0, len(text), 64)]
    return [
        {
            "core_in_data_i": int.from_bytes(data.ljust(64, b"\xa5"), "big"),
            "core_in_mask_i": int.from_bytes((b"\xff" * len(data)).ljust(64, b"\0"), "big"),
            "core_in_count_i": -(-len(data) // 16), "core_in_text_i": kind,
            "core_in_last_i": int(n == len(beats) - 1),
        }
        for n, (kind, data) in enumerate(beats)
    ]  # fmt: skip


@pytest.mark.parametrize("idle", [0.0, 0.3])
def test_messages_of_any_lengths_have_the_texts_and_tags_of_gcm(idle):
    draw = random.Random(11)
    bench = Bench(library())
    for _ in range(3):
        key = draw.randbytes(16)
        bench.put("core_key_i", int.from_bytes(key, "big"))
        bench.put("core_key_start_i", 1)
        bench.settle()
        bench.edge()
        bench.put("core_key_start_i", 0)
        for _ in range(200):
            bench.settle()
            if bench.get("core_idle_o"):
                break
            bench.edge()
        messages = []
        for _ in range(MESSAGES):
            aad, text = (
                draw.randbytes(draw.choice((0, 1, 16, 64, draw.randint(1, 300)))) for _ in "ab"
            )
            messages.append((draw.random() < 0.5, draw.randbytes(12), aad or b"a", text))
        starts, beats, texts, tags = [], [], [], []
        for decrypt, iv, aad, text in messages:
            cipher, tag = encrypt(key, iv, text, aad)
            starts.append(
                {
                    "core_start_decrypt_i": int(decrypt),
                    "core_start_iv_i": int.from_bytes(iv, "big"),
                    "core_start_beats_i": -(-len(text) // 64),
                    "core_start_lengths_i": bit_lengths(aad, text),
                }
            )
            beats += words(decrypt, aad, cipher if decrypt else text)
            texts.append(text if decrypt else cipher)
            tags.append(tag)
        start = Source(bench, "core_start_valid_i", "core_start_ready_o", starts)
        data = Source(bench, "core_in_valid_i", "core_in_ready_o", beats, idle=at_random(1, idle))
        out = Sink(bench, "core_out_valid_o", None, ["core_out_data_o"])
        tag = Sink(bench, "core_tag_valid_o", None, ["core_tag_o"])
        run(bench, [start, data, out, tag], lambda tag=tag: len(tag.got) == MESSAGES)
        assert [one.to_bytes(16, "big") for (one,) in tag.got] == tags
        stream = [one.to_bytes(64, "big") for (one,) in out.got]
        for text in texts:
            count = -(-len(text) // 64)
            assert b"".join(stream[:count])[: len(text)] == text
            del stream[:count]
