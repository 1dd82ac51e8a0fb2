"""The one palette of every picture, and the few drawing primitives they share."""

from PIL import Image

TILE = 16

PALETTE = {
    "ink": "17141f",
    # grass and leaves, dark to light
    "g0": "1b3a33", "g1": "27553b", "g2": "3a7444", "g3": "57964c", "g4": "64a351", "g5": "8abd5e", "g6": "bfdc80",
    # earth, wood and roads
    "e0": "33231f", "e1": "54382b", "e2": "7b5438", "e3": "a3764b", "e4": "c69a63", "e5": "dfbd83", "e6": "f2dfae",
    # mud and swamp
    "m0": "2c2620", "m1": "413528", "m2": "574632", "m3": "6f5b3d", "m4": "8b774c",
    # water
    "w0": "1c3557", "w1": "265079", "w2": "3373a0", "w3": "4795c0", "w4": "7cc1d8", "w5": "cdeeec", "w6": "3a7dab",
    # stone and steel
    "s0": "2a2c3b", "s1": "454a5c", "s2": "676f80", "s3": "8d969f", "s4": "b5bebd", "s5": "e0e5da",
    # cloth
    "r0": "581e2c", "r1": "8e2d36", "r2": "c4423e", "r3": "e67b52",
    "b0": "1e2a57", "b1": "2e4a92", "b2": "4872c6", "b3": "83a8e8",
    "y0": "b57628", "y1": "e6af3b", "y2": "f8dc78",
    "p1": "7b4a8c", "p2": "b57cc4",
    "k0": "8b5742", "k1": "c78862", "k2": "eebb90",
    "white": "fbf7ea",
}


def rgba(name, alpha=255):
    """The colour called `name` with an alpha of 0 to 255."""
    code = PALETTE[name]
    return (int(code[0:2], 16), int(code[2:4], 16), int(code[4:6], 16), alpha)


def blank(width, height):
    """A transparent picture."""
    return Image.new("RGBA", (width, height), (0, 0, 0, 0))


def put(image, x, y, name, alpha=255):
    """Set one pixel; outside the picture nothing happens."""
    if 0 <= x < image.width and 0 <= y < image.height:
        image.putpixel((x, y), rgba(name, alpha))


def box(image, x, y, width, height, name):
    """Fill a rectangle."""
    for row in range(y, y + height):
        for column in range(x, x + width):
            put(image, column, row, name)


def stamp(image, x, y, rows, colours):
    """Draw a picture written as text: one letter a pixel, '.' and ' ' are left out."""
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            if letter not in ". ":
                put(image, x + column, y + row, colours[letter])


def outline(image, name="ink"):
    """Draw an outline one pixel wide around everything opaque (four neighbours)."""
    source = image.copy()

    def solid(x, y):
        return 0 <= x < source.width and 0 <= y < source.height and source.getpixel((x, y))[3] > 200

    for y in range(source.height):
        for x in range(source.width):
            if not solid(x, y) and any(solid(x + dx, y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))):
                put(image, x, y, name)


def sheet(pictures, columns):
    """Lay equal pictures out row by row."""
    width, height = pictures[0].size
    rows = (len(pictures) + columns - 1) // columns
    result = blank(columns * width, rows * height)
    for index, picture in enumerate(pictures):
        result.paste(picture, ((index % columns) * width, (index // columns) * height))
    return result
