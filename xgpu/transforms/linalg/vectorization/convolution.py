from __future__ import annotations


def is_convolution(op):
    return False


def can_vectorize(op):
    return False


def can_be_dynamic(op, options):
    return False


def is_depthwise_nwc(op):
    return False


def vectorize_convolution(space, options):
    return None
