"""What NVIDIA's documentation calls the Xid codes of its kernel driver.

Source: NVIDIA, "Xid Errors" (docs.nvidia.com/deploy/xid-errors), section "Xid Error Listing" and
the Xid catalog, 2024 and 2025. A name says what the driver noticed, not why: most codes have
several possible causes (hardware, driver, application), which the same pages list.
"""

from __future__ import annotations

XID_NAMES: dict[int, str] = {
    8: "GPU stopped processing",
    13: "Graphics Engine Exception",
    24: "GPU semaphore timeout",
    31: "GPU memory page fault",
    32: "Invalid or corrupted push buffer stream",
    38: "Driver firmware error",
    43: "GPU stopped processing",
    44: "Graphics Engine fault during context switch",
    45: "Preemptive cleanup, due to previous errors",
    46: "GPU stopped processing",
    48: "Double Bit ECC Error",
    54: "Auxiliary power is not connected to the GPU board",
    56: "Display Engine error",
    57: "Error programming video memory interface",
    58: "Unstable video memory interface detected",
    61: "Internal micro-controller breakpoint/warning",
    62: "Internal micro-controller halt",
    63: "ECC page retirement or row remapping recording event",
    64: "ECC page retirement or row remapper recording failure",
    66: "Illegal access by driver",
    68: "NVDEC0 Exception",
    69: "Graphics Engine class error",
    74: "NVLINK Error",
    78: "vGPU Start Error",
    79: "GPU has fallen off the bus",
    80: "Corrupted data sent to GPU",
    92: "High single-bit ECC error rate",
    94: "Contained ECC error",
    95: "Uncontained ECC error",
    109: "Context Switch Timeout Error",
    119: "GSP RPC Timeout",
    120: "GSP Error",
    121: "C2C Link Error",
    122: "SPI PMU RPC Read Failure",
    123: "SPI PMU RPC Write Failure",
    124: "SPI PMU RPC Erase Failure",
    125: "Inforom FS Failure",
    137: "NVLink FLA privilege error",
    140: "Unrecovered ECC Error",
    143: "GPU Initialization Failure",
    144: "NVLINK: SAW Error",
    145: "NVLINK: RLW Error",
    146: "NVLINK: TLW Error",
    147: "NVLINK: TREX Error",
    148: "NVLINK: NVLPW_CTRL Error",
    149: "NVLINK: NETIR Error",
    150: "NVLINK: MSE Error",
    154: "GPU Recovery Action Changed",
}
"""Code → name; a code that is not here is shown by its number alone."""


def xid_name(code: int) -> str:
    """NVIDIA's name of an Xid code, "" for one that is not in the list."""
    return XID_NAMES.get(code, "")
