"""Repeatable noise: the same numbers on every machine, and seamless over a chosen period."""

import math

MASK = 0xFFFFFFFF


def hashed(x, y, seed):
    """An integer hash of two coordinates, 0 to 2^32 - 1."""
    value = (x * 0x27D4EB2D ^ y * 0x165667B1 ^ seed * 0x9E3779B1) & MASK
    value = ((value ^ (value >> 15)) * 0x85EBCA6B) & MASK
    value = ((value ^ (value >> 13)) * 0xC2B2AE35) & MASK
    return value ^ (value >> 16)


def unit(x, y, seed):
    """A number in 0 to 1 for one lattice point."""
    return hashed(x, y, seed) / MASK


def smooth(t):
    """The usual cubic ease."""
    return t * t * (3 - 2 * t)


def value_noise(x, y, cell, period, seed):
    """Value noise in 0 to 1 with lattice points every `cell` pixels, repeating every `period` pixels."""
    count = period // cell
    fx, fy = x / cell, y / cell
    ix, iy = math.floor(fx), math.floor(fy)
    tx, ty = smooth(fx - ix), smooth(fy - iy)

    def corner(dx, dy):
        return unit((ix + dx) % count, (iy + dy) % count, seed)

    top = corner(0, 0) * (1 - tx) + corner(1, 0) * tx
    bottom = corner(0, 1) * (1 - tx) + corner(1, 1) * tx
    return top * (1 - ty) + bottom * ty


def gradient_noise(x, y, cell, period, seed):
    """Perlin's gradient noise, about 0 to 1, repeating every `period` pixels."""
    count = period // cell
    fx, fy = x / cell, y / cell
    ix, iy = math.floor(fx), math.floor(fy)
    rx, ry = fx - ix, fy - iy

    def corner(dx, dy):
        angle = 2 * math.pi * unit((ix + dx) % count, (iy + dy) % count, seed)
        return math.cos(angle) * (rx - dx) + math.sin(angle) * (ry - dy)

    tx, ty = smooth(rx), smooth(ry)
    top = corner(0, 0) * (1 - tx) + corner(1, 0) * tx
    bottom = corner(0, 1) * (1 - tx) + corner(1, 1) * tx
    return 0.5 + 0.7 * (top * (1 - ty) + bottom * ty)


def layered(x, y, cell, period, seed):
    """Two octaves of gradient noise, about 0 to 1."""
    return 0.68 * gradient_noise(x, y, cell, period, seed) + 0.32 * gradient_noise(x, y, cell // 2, period, seed + 7)


def facets(x, y, cell, period, seed):
    """Voronoi cells: (how far from the cell's edge in pixels, a number of the cell, offset from its centre)."""
    count = period // cell
    cx, cy = math.floor(x / cell), math.floor(y / cell)
    nearest = []
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            i, j = (cx + dx) % count, (cy + dy) % count
            px = (cx + dx + 0.15 + 0.7 * unit(i, j, seed)) * cell
            py = (cy + dy + 0.15 + 0.7 * unit(i, j, seed + 1)) * cell
            nearest.append((math.hypot(x - px, y - py), hashed(i, j, seed + 2), x - px, y - py))
    nearest.sort()
    return nearest[1][0] - nearest[0][0], nearest[0][1], nearest[0][2], nearest[0][3]
