# SPDX-License-Identifier: Apache-2.0
"""The test vectors of IEEE 802.1AE-2018, Annex C, with all four cipher suites.

Those of GCM-AES-128 and GCM-AES-256 are K. Randall's "MACsec GCM-AES Test Vectors" of 2011, which
802.1AEbn-2011 took over; those of the XPN suites came with 802.1AEbw-2013. A test computes each of
them again with the `cryptography` package.
"""

from dataclasses import dataclass

XPN_SALT = bytes.fromhex("e630e81a48de86a21c66fa6d")
XPN_SSCI = 0x7A30C118
XPN_PN_HIGH = 0xB0DF459C

EVERY_ONE_WITHOUT_SCI = 1
"""The port number of the SCI that a SecTAG with ES set and SC clear stands for, 802.1AE 9.9."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Frame:
    """A frame before protection, its SecTAG, and what becomes of it by key length and suite."""

    name: str
    destination: bytes
    source: bytes
    tci_an: int
    sl: int
    pn: int
    sci: bytes
    user_data: bytes
    keys: dict[int, bytes]
    secure: dict[tuple[int, bool], bytes]
    """(key bytes, XPN) -> Secure Data, where it is encrypted."""
    icv: dict[tuple[int, bool], bytes]

    @property
    def encrypted(self) -> bool:
        """E and C of the TCI."""
        return self.tci_an & 0x0C == 0x0C

    @property
    def sectag(self) -> bytes:
        """With the SCI where SC says so."""
        tag = b"\x88\xe5" + bytes([self.tci_an, self.sl]) + self.pn.to_bytes(4, "big")
        return tag + (self.sci if self.tci_an & 0x20 else b"")


def _user_data(last: int, number: int) -> bytes:
    """08 00, the bytes from 0F on up to `last`, 00 and the frame's number."""
    return b"\x08\x00" + bytes(range(0x0F, last + 1)) + bytes([0, number])


def _frame(
    name: str,
    addresses: str,
    sectag: str,
    data: tuple[int, int],
    keys: str,
    icv: str,
    secure: str = "",
) -> Frame:
    """icv and secure: for 128 bits, 256 bits, XPN 128, XPN 256; blanks between them."""
    destination, source = map(bytes.fromhex, addresses.split())
    tag = bytes.fromhex(sectag)
    suites = [(16, False), (32, False), (16, True), (32, True)]
    short, long = map(bytes.fromhex, keys.split())
    return Frame(
        name=name,
        destination=destination,
        source=source,
        tci_an=tag[0],
        sl=tag[1],
        pn=int.from_bytes(tag[2:6], "big"),
        sci=tag[6:] or source + EVERY_ONE_WITHOUT_SCI.to_bytes(2, "big"),
        user_data=_user_data(*data),
        keys={16: short, 32: long},
        secure=dict(zip(suites, map(bytes.fromhex, secure.split()), strict=False)),
        icv=dict(zip(suites, map(bytes.fromhex, icv.split()), strict=True)),
    )


_A = "d609b1f05663 7a0d46df998d"
_A_KEYS = (
    "ad7a2bd03eac835a6f620fdcb506b345 "
    "e3c08a8f06c6e3ad95a70557b23f75483ce33021a9c72b7025666204c69c0b72"
)
_B = "e20106d7cd0d f0761e8dcd3d"
_B_KEYS = (
    "071b113b0ca743fecccf3d051f737382 "
    "691d3ee909d7f54167fd1ca0b5d769081f2bde1aee655fdbab80bd5295ae6be7"
)
_C = "84c5d513d2aa f6e5bbd27277"
_C_KEYS = (
    "013fe00b5f11be7f866d0cbbc55a7a90 "
    "83c093b58de7ffe1c0da926ac43fb3609ac1c80fee1b624497ef942e2f79a823"
)
_D = "68f2e77696ce 7ae8e2ca4ec5"
_D_KEYS = (
    "88ee087fd95da9fbf6725aa9d757b0cd "
    "4c973dbc7364621674f8b5b89e5c15511fced9216490fb1c1a2caa0ffe0407e5"
)

FRAMES = (
    _frame(
        "54-byte packet, integrity", _A, "222ab2c2846512153524c0895e81", (0x34, 1), _A_KEYS,
        "f09478a9b09007d06f46e9b6a1da25dd 2f0bc5af409e06d609ea8b7d0fa5ea50 "
        "17fe1981ebdd4afc5062697e8baa0c23 4dbd2f6a754a6cf728cc129ba6931577",
    ),
    _frame(
        "60-byte packet, confidentiality", _A, "2e00b2c2846512153524c0895e81", (0x3A, 2), _A_KEYS,
        "4f8d55e7d3f06fd5a13c0c29b9d5b880 5ca597cdbb3edb8d1a1151ea0af7b436 "
        "c2c3c79f263fa6bff8e7581e2ce45af8 3b442ac0c816d7abd70ad65c25d46413",
        "701afa1cc039c0d765128a665dab69243899bf7318ccdc81c9931da17fbe8edd"
        "7d17cb8b4c26fc81e3284f2b7fba713d "
        "e2006eb42f5277022d9b19925bc419d7a592666c925fe2ef718eb4e308efeaa7"
        "c5273b394118860a5be2a97f56ab7836 "
        "0712d980ca50bbed35a0fa566338729ffa16d19ffcf07b3a1e7919b3776aacec"
        "8a5937208b483a7691984d380792e07f "
        "3eb04a4bbf54c6eb1222a9aea00c38687f6c3520d976a3b694800650ce6585e6"
        "20a4191917d2a605d870c78d2752ce49",
    ),
    _frame(
        "60-byte packet, integrity", _B, "400076d457ed", (0x3A, 3), _B_KEYS,
        "0c017bc73b227dfcc9bafa1c41acc353 35217c774bbc31b63166bcf9d4abed07 "
        "abc40685a3cf911d3787e49db6a7265e ac21957b8312ab3c99ab46849879c3f3",
    ),
    _frame(
        "54-byte packet, confidentiality", _B, "4c2a76d457ed", (0x34, 4), _B_KEYS,
        "d6a5284f4a6d3fe22a5d6c2b960494c3 12af39c2d1fdc2051f8b7b3c9d397ef2 "
        "f0a232e9e44c978cf7cd84d43484d101 39a0e273c4c7f95ed843207d7a497dfa",
        "13b4c72b389dc5018e72a171dd85a5d3752274d3a019fbcaed09a425cd9b2e1c9b72eee7c9de7d52b3f3 "
        "c1623f55730c93533097addad25664966125352b43adacbd61c5ef3ac90b5bee929ce4630ea79f6ce519 "
        "9ca46984430203ed416ebdc2fe2622ba3e5eab6961c36383009e187e9b0c88564653b9abd216441c6ab6 "
        "88d9f7d1f1578ee34ba7b1abc89893ef1d3398c9f1dd3e47fbd8553e0ff786ef5699eb01ea10420d0ebd",
    ),
    _frame(
        "65-byte packet, integrity", _C, "23008932d6127cfde9f9e33724c6", (0x3F, 5), _C_KEYS,
        "217867e50c2dad74c28c3b50abdf695a 6ee160e8faeca4b36c86b234920ca975 "
        "678559b7e52db00682e3b83034cebe59 84bac8e53d1ea355a5c7d334840ae962",
    ),
    _frame(
        "61-byte packet, confidentiality", _C, "2f008932d6127cfde9f9e33724c6", (0x3B, 6), _C_KEYS,
        "bfd310a4837c816ccfa5ac23ab003988 a10f4e05139c23df00b3aadc71f0596a "
        "d84b8e2a78e74dafeaa03846fe930c0e 802f050e691f11a2d9b358f6994184f5",
        "3a4de6fa32191014dbb303d92ee3a9e8a1b599c14d22fb080096e13811816a3c"
        "9c9bcf7c1b9b96da809204e29d0e2a7642 "
        "110222ff8050cbece66a813ad09a73ed7a9a089c106b959389168ed6e8698ea9"
        "02eb1277dbec2e68e473155a15a7daeed4 "
        "14c17693bc8297ee6c47c565cbe0679e80f00fcaf592c9aa0473928e7f2f216f"
        "f5a033dec7513f45d34cbb981c5bd64e8b "
        "0996e0c9a55774e0a792304e7dc150bd67fd747dd1b9419594bf373d4ace8f87"
        "f5c1349afac491aa0a40d3199087b29fdf",
    ),
    _frame(
        "79-byte packet, integrity", _D, "41002e58495c", (0x4D, 7), _D_KEYS,
        "07922b8ebcf10bb2297588ca4c614523 00bda1b7e87608bcbf470f12157f4c07 "
        "d0dc896dc83798a79f3c5a95ba3cdf9a 04249a208a65b96b3f3263004cfd867d",
    ),
    _frame(
        "75-byte packet, confidentiality", _D, "4d002e58495c", (0x49, 8), _D_KEYS,
        "88f8757adb8aa788d8f65ad668be70e7 2611cd7daa01d61c5c886dc1a8170107 "
        "346b96d1136a754df0a6cde126c107f8 85692cd815b664711aef911df78d7f46",
        "c31f53d99e5687f7365119b832d2aae70741d593f1f9e2ab3455779b078eb8fe"
        "acdfec1f8e3e5277f8180b43361f6512adb16d2e38548a2c719dba7228d840 "
        "ba8ae31bc506486d6873e4fce460e7dc57591ff00611f31c3834fe1c04ad80b6"
        "6803afcf5b27e6333fa67c99da47c2f0ced68d531bd741a943cff7a6713bd0 "
        "eaecc6af6512fc8b6c8c43bc55b190b2626d07d3d218faf5daa7d8f800a57331"
        "eb43b5a17a37e5b1d60d275ccaf7acd704cc9ace2bf8bc8b9b23b9adf02f87 "
        "b0fea36318b9b36466c46e9e1bda1a266858196e7e70d882ae70475668cde4ec"
        "883f6ac2369f284bed1fe32f42092fdff5868a3c64e5615192a7a3760b34bc",
    ),
)  # fmt: skip
