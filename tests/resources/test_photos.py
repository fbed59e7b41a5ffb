"""The photos and the logo of a business."""

import io
import re
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import current_thread

import pytest
from PIL import Image, ImageChops, ImageCms, ImageOps, ImageStat

from reservation.domain.lanes import Lane
from reservation.domain.planning import photos
from reservation.lib import pictures
from tests.pictures import picture

SIZES = pictures.SIZES


@pytest.fixture
def upload(client, salon, alice):
    def upload(octets, expect=201, **query):
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        path = f"/api/entreprises/{salon.id}/photos?{asked}"
        return client.post(path, octets, expect, token=alice.token).json

    return upload


@pytest.fixture
def listed(client, salon):
    return lambda: client.get(f"/api/entreprises/{salon.id}/photos").json


def opened(client, photo, size):
    answer = client.get("/" + photo["adresse"].format(taille=size))
    assert answer.headers["Content-Type"] == "image/webp"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    return Image.open(io.BytesIO(answer.body))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_photo_is_shown_as_webp_in_three_sizes(client, upload, listed, kind):
    made = upload(picture(2000, 1000, kind), texte="L%27accueil")
    assert listed() == [made]
    assert (made["largeur"], made["hauteur"], made["texte"]) == (1600, 800, "L'accueil")
    for size in SIZES:
        image = opened(client, made, size)
        assert (image.format, image.size) == ("WEBP", (size, size // 2))


def test_of_a_jpeg_with_several_pictures_the_first_is_shown(client, upload):
    others = [Image.new("L", (100, 50))]
    made = upload(picture(2000, 1000, "MPO", save_all=True, append_images=others))
    assert opened(client, made, SIZES[-1]).size == (1600, 800)


def test_a_small_picture_is_not_enlarged(client, upload):
    made = upload(picture(64, 48))
    assert {opened(client, made, size).size for size in SIZES} == {(64, 48)}


def test_a_picture_is_upright_and_has_no_metadata(client, upload):
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "48.8584 N"  # turned by 90 degrees, and a description
    sent = picture(200, 100, "JPEG", exif=exif, icc_profile=b"profile", comment=b"secret")
    assert b"48.8584" in sent and b"secret" in sent and b"profile" in sent
    made = upload(sent)
    for size in SIZES:
        image = opened(client, made, size)
        assert image.size == (100, 200)
        top, bottom = image.convert("RGB").getpixel((50, 10)), image.getpixel((50, 190))
        assert top[0] > 200 > bottom[0] and bottom[2] > 200 > top[2]
        assert not image.getexif() and set(image.info) <= {"background", "loop", "timestamp",
                                                           "duration"}
        octets = client.get("/" + made["adresse"].format(taille=size)).body
        assert not re.search(rb"48.8584|secret|profile|EXIF|XMP |ICCP", octets)


def test_a_picture_with_16_bits_of_grey_keeps_its_greys():
    grey = b"".join(struct.pack("<H", 257 * column) for column in range(256))
    file = io.BytesIO()
    Image.frombytes("I;16", (256, 16), grey * 16).save(file, "PNG")
    found = pictures.read(file.getvalue())
    shown = Image.open(io.BytesIO(found.files[320])).convert("L")
    assert all(abs(shown.getpixel((column, 8)) - column) < 5 for column in range(256))


def swapped():
    """Returns the profile sRGB with red and blue in each other's place."""
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return srgb.replace(b"rXYZ", b"----").replace(b"bXYZ", b"rXYZ").replace(b"----", b"bXYZ")


@pytest.mark.parametrize(
    ("kind", "mode", "profile", "expected"),
    [
        ("JPEG", "RGB", swapped(), (0, 0, 255)), ("WEBP", "RGB", swapped(), (0, 0, 255)),
        ("PNG", "RGBA", swapped(), (0, 0, 255)), ("PNG", "L", swapped(), (76, 76, 76)),
        ("JPEG", "RGB", b"malformed", (255, 0, 0)),
    ],
)  # fmt: skip
def test_a_picture_has_the_colours_of_its_profile(kind, mode, profile, expected):
    red, file = Image.new("RGB", (64, 64), (255, 0, 0)).convert(mode), io.BytesIO()
    red.save(file, kind, icc_profile=profile)
    shown = Image.open(io.BytesIO(pictures.read(file.getvalue()).files[320]))
    assert shown.convert("RGB").getpixel((32, 32)) == pytest.approx(expected, abs=6)
    assert "icc_profile" not in shown.info


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_with_malformed_metadata_is_upright(orientation):
    unit = struct.pack("<HHI4s", 0x0128, 2, 2, b"in")  # a text instead of a number
    tags = struct.pack("<HHHIHH", 2, 0x0112, 3, 1, orientation, 0) + unit
    malformed = b"Exif\0\0II*\0\x08\0\0\0" + tags + bytes(4)
    valid = Image.Exif()
    valid[0x0112] = orientation
    expected = Image.open(io.BytesIO(picture(200, 100, "JPEG", quality=95, exif=valid)))
    expected = ImageOps.exif_transpose(expected)
    found = pictures.read(picture(200, 100, "JPEG", quality=95, exif=malformed))
    shown = Image.open(io.BytesIO(found.files[320])).convert("RGB")
    assert shown.size == expected.size == (found.width, found.height)
    difference = ImageChops.difference(shown, expected).convert("L")
    assert ImageStat.Stat(difference).mean[0] < 5


@pytest.mark.parametrize(
    "octets",
    [b"", b"x", b"<svg xmlns='http://www.w3.org/2000/svg'/>", picture(9, 9, "GIF"),
     picture(9, 9, "BMP"), picture(400, 400, "JPEG")[:500], picture()[:60],
     b"RIFF\x1a\0\0\0WEBPVP8 "],
)  # fmt: skip
def test_the_content_decides_what_a_picture_is(upload, listed, octets):
    assert upload(octets, 400)["code"] == "picture_invalid"
    assert listed() == []


def encoded(kind, size, mode="RGB", **options):
    file = io.BytesIO()
    Image.new(mode, size).save(file, kind, **options)
    return file.getvalue()


@pytest.mark.parametrize("kind, size, mode, options, most", [
    ("PNG", (4000, 4001), "P", {"transparency": 0}, 16),
    ("PNG", (20_000, 20_000), "1", {}, 50),  # Pillow itself refuses the header
    ("WEBP", (3000, 3001), "RGB", {}, 9),
    ("JPEG", (7100, 7100), "L", {}, 50),
    ("JPEG", (5800, 5800), "RGB", {"progressive": True}, 33),
    ("JPEG", (3600, 3600), "CMYK", {"progressive": True}, 12),
])
def test_a_picture_that_would_fill_the_memory_is_refused(upload, kind, size, mode, options, most):
    bomb = encoded(kind, size, mode, **options)
    assert len(bomb) < 5 * 2**20
    assert upload(bomb, 400) == {
        "error": f"The picture has more than {most} million pixels",
        "code": "picture_too_large", "max": most,
    }


_READ = """
import sys
from reservation.lib import pictures
pictures.read(sys.stdin.buffer.read())
status = open("/proc/self/status").read()
print(status.partition("VmHWM:")[2].split()[0])
"""


@pytest.mark.parametrize("kind, size, mode, options", [
    ("PNG", (4000, 4000), "P", {"transparency": 0}), ("PNG", (4000, 4000), "RGBA", {}),
    ("PNG", (4000, 4000), "I;16", {}), ("WEBP", (3000, 3000), "RGB", {}),
    ("JPEG", (7000, 7100), "RGB", {"quality": 5}), ("JPEG", (29_000, 1700), "CMYK", {}),
    ("JPEG", (3500, 3500), "CMYK", {"progressive": True, "quality": 5}),
], ids=str)
def test_a_picture_of_any_kind_takes_little_memory(kind, size, mode, options):
    sent = encoded(kind, size, mode, **options)
    done = subprocess.run([sys.executable, "-c", _READ], input=sent, capture_output=True)
    assert int(done.stdout) < 240 * 1024, done.stderr


@pytest.mark.parametrize("size, mode", [((3700, 2500), "RGB"), ((2500, 3301), "RGBA"),
                                        ((9000, 90), "L"), ((3300, 1), "P")])
def test_a_large_picture_looks_as_if_it_had_been_reduced_at_once(size, mode):
    drawn = Image.linear_gradient("L").resize(size).convert(mode)
    file = io.BytesIO()
    drawn.save(file, "PNG")
    found = pictures.read(file.getvalue())
    shown = Image.open(io.BytesIO(found.files[1600])).convert("RGB")
    wide = drawn.convert("RGB")
    wide.thumbnail((1600, 1600))
    assert max(abs(one - other) for one, other in zip(shown.size, wide.size, strict=True)) <= 1
    wide = wide.resize(shown.size)
    assert max(ImageStat.Stat(ImageChops.difference(shown, wide)).mean) < 2


def test_a_photo_with_a_thumbnail_in_its_metadata_has_one_scan(upload):
    """Two headers of a scan of all colours do not make a picture of several scans."""
    exif = b"Exif\0\0" + picture(160, 120, "JPEG")
    upload(encoded("JPEG", (6000, 6000), quality=5, exif=exif))


def test_a_picture_that_would_take_minutes_to_decode_is_refused(upload, listed):
    usual = picture(64, 48, "JPEG", progressive=True)
    at = usual.rindex(b"\xff\xda")
    assert upload(usual[:at] + 1000 * usual[at:-2] + usual[-2:], 400)["code"] == "picture_invalid"
    upload(usual)
    assert len(listed()) == 1


def test_uploads_that_must_wait_for_other_pictures_are_refused(upload, monkeypatch):
    monkeypatch.setattr("reservation.resources.photos._lane", Lane(0, waiting=0))
    assert upload(picture(), 503)["code"] == "overloaded"


def test_one_thread_reads_all_pictures(upload, monkeypatch):
    read, threads = pictures.read, set()

    def reading(sent):
        threads.add(current_thread())  # not its identifier, which a later thread may get again
        return read(sent)

    monkeypatch.setattr(pictures, "read", reading)
    for _ in range(2):
        with ThreadPoolExecutor() as another:
            another.submit(upload, picture()).result()
    assert len(threads) == 1


def test_a_file_may_have_five_megabytes(upload):
    assert upload(b"x" * (5 * 2**20), 400)["code"] == "picture_invalid"
    assert upload(b"x" * (5 * 2**20 + 1), 413)["max"] == 5 * 2**20


def test_a_business_has_at_most_twelve_photos_and_one_logo(upload, listed):
    for _ in range(photos.MOST):
        upload(picture())
    assert upload(picture(), 409)["code"] == "too_many_photos"
    first = upload(picture(), genre="logo")
    logo = upload(picture(), genre="logo", texte="Alice")
    assert first["id"] != logo["id"]
    assert [one["genre"] for one in listed()] == ["logo"] + ["photo"] * photos.MOST
    assert listed()[0] == logo


def test_the_answer_to_a_logo_that_is_replaced_at_once(upload, listed, salon, monkeypatch):
    transaction = photos.transaction

    def removing(db, work):
        done = transaction(db, work)
        transaction(db, lambda: photos.remove_all(db, [salon.id]))
        return done

    monkeypatch.setattr(photos, "transaction", removing)
    assert upload(picture(), genre="logo")["genre"] == "logo"
    assert listed() == []


def test_a_photo_after_the_last_place_can_be_changed(client, upload, alice):
    """Each new photo has a higher `ordre`, also if the earlier photos are removed."""
    one = upload(picture())
    for ordre in (1000, 10**9):
        client.put(f"/api/photos/{one['id']}", {"ordre": ordre}, token=alice.token)
        last = upload(picture())
        change = {"ordre": last["ordre"], "texte": "Le fauteuil"}
        assert last["ordre"] >= ordre
        client.put(f"/api/photos/{last['id']}", change, token=alice.token)


def test_photos_are_shown_in_their_order_and_removed(client, upload, listed, alice, db):
    one, two = upload(picture(9, 9)), upload(picture(10, 9))
    assert [photo["id"] for photo in listed()] == [one["id"], two["id"]]
    change = {"ordre": 7, "texte": "Le fauteuil", "version": one["version"]}
    changed = client.put(f"/api/photos/{one['id']}", change, token=alice.token).json
    assert changed == {**one, "ordre": 7, "texte": "Le fauteuil", "version": 2}
    client.put(f"/api/photos/{one['id']}", change, 412, token=alice.token)
    assert listed() == [two, changed]
    client.delete(f"/api/photos/{two['id']}", token=alice.token)
    assert listed() == [changed]
    client.get("/" + two["adresse"].format(taille=320), 404)
    assert db.rows("SELECT COUNT(*) FROM image") == [(len(SIZES),)]


@pytest.mark.parametrize("name", ["x", "0" * 32, "0" * 32 + "-320", "0" * 32 + "-0320"])
def test_an_unknown_picture_is_not_found(client, name):
    client.get(f"/photos/{name}.webp", 404)


def test_without_pillow_uploads_are_refused_and_pictures_are_shown(
    client, upload, listed, monkeypatch
):
    made = upload(picture())
    monkeypatch.setattr(pictures, "is_supported", lambda: False)
    assert upload(picture(), 501)["code"] == "photos_unavailable"
    assert opened(client, listed()[0], 320).size == (made["largeur"], made["hauteur"])


def test_the_head_of_the_page_names_the_photos(client, upload, salon):
    logo, photo = upload(picture(20, 9), genre="logo"), upload(picture())
    text = client.app.get(f"/entreprises/{salon.id}").text
    urls = [f"http://localhost:80/{one['adresse']}".format(taille=1600) for one in (photo, logo)]
    assert f'<meta property="og:image" content="{urls[0]}">' in text
    assert f'"image": ["{urls[0]}", "{urls[1]}"]' in text


def test_a_text_of_a_photo_that_would_change_the_direction_is_stored_without_that(upload):
    assert upload(picture(), texte="%E2%80%AEL%27accueil")["texte"] == "L'accueil"


def test_a_text_of_a_photo_with_a_nul_character_is_refused(upload):
    refusal = upload(picture(), 400, texte="L%27accueil%00")
    assert refusal["champs"]["texte"]["code"] == "nul_character"


def test_the_photos_of_an_erased_owner_are_removed(client, upload, salon, alice, db):
    upload(picture())
    closed = {"nom": "Salon", "ville": "Lyon", "actif": False}
    client.put(f"/api/entreprises/{salon.id}", closed, token=alice.token)
    body = {"password": alice.password}
    client.call("DELETE", "/api/compte", body, expect=204, token=alice.token)
    assert db.rows("SELECT COUNT(*) FROM photo")[0] + db.rows("SELECT COUNT(*) FROM image")[0] == (
        0, 0,
    )


def test_a_picture_whose_exif_is_cut_short_is_refused(upload):
    upload(picture(exif=b"Exif\0\0II*\0"), 400)


def test_a_progressive_jpeg_without_samples_is_refused(upload):
    octets = picture(60, 40, "JPEG", progressive=True)
    components = octets.index(b"\xff\xc2") + 10  # ids and samples of the three colours
    malformed = octets[:components] + b"\1\0\0\2\0\0\3\0\0" + octets[components + 9 :]
    assert upload(malformed, 400)["code"] == "picture_invalid"
