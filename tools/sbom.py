#!/usr/bin/env python3
"""Lists what a program is made from, as an SPDX 2.3 document: the libraries that it is linked with, those that these are linked with, and the
packages whose headers were compiled into it, each with its version and its licences.

    tools/sbom.py PROGRAM > watersmeet.spdx.json

Versions and licences are those of the Debian or Ubuntu packages that the files belong to, so it runs where the program was built. Two runs
give the same text. Exit status 3 where there is no dpkg.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Packages of packaging/apt.txt that are libraries of templates, of which the program has code and no library is linked.
HEADERS = ("libcli11-dev", "libtomlplusplus-dev", "nlohmann-json3-dev", "libkissfft-dev", "libeigen3-dev")


def said(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def libraries(program):
    """Paths by name, of the program and of all libraries that the loader takes."""
    found = re.findall(r"^\s*(\S+) => (/\S+)", said("ldd", program), re.MULTILINE)
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", said("readelf", "-d", program)))
    return {name: pathlib.Path(path).resolve() for name, path in found}, needed


def package_of(path):
    for candidate in (path, pathlib.Path("/usr") / path.relative_to("/"), pathlib.Path("/") / path.relative_to("/usr") if path.is_relative_to("/usr") else path):
        result = subprocess.run(["dpkg-query", "-S", str(candidate)], capture_output=True, text=True)
        if result.returncode == 0:
            return result.stdout.split(",")[0].rsplit(": ", 1)[0].split(":")[0]
    return None


def licences(package):
    """Debian's short names of the licences, from the machine-readable copyright file; of others the whole file is the licence."""
    file = pathlib.Path("/usr/share/doc") / package / "copyright"
    text = file.read_text(errors="replace") if file.exists() else ""
    names = re.findall(r"^License: *(\S.*)$", text, re.MULTILINE)
    words = {re.sub(r"[^A-Za-z0-9.+-]+", "-", part).strip("-").replace("+", "-or-later") for name in names for part in re.split(r",? and(?:/or)? |,? or |, ", name)}
    return sorted(word for word in words if word) or [f"see-copyright-of-{package}"]


def described(package, use):
    version, source, home = said("dpkg-query", "-W", "-f=${Version}\t${source:Package}\t${Homepage}", package).split("\t")
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", package), "name": package, "versionInfo": version, "downloadLocation": home or "NOASSERTION",
        "filesAnalyzed": False, "supplier": "Organization: distribution", "sourceInfo": f"source package {source}; {use}", "copyrightText": "NOASSERTION",
        "licenseConcluded": "NOASSERTION", "licenseDeclared": " AND ".join("LicenseRef-" + name for name in licences(package)),
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:deb/{package}@{version}"}],
    }  # fmt: skip


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if shutil.which("dpkg-query") is None:
        print("versions and licences are those of dpkg, which is not here", file=sys.stderr)
        sys.exit(3)
    program = sys.argv[1]
    paths, needed = libraries(program)
    uses, unknown = {}, []
    for name, path in sorted(paths.items()):
        package = package_of(path)
        if package is None:
            unknown.append(name)
        elif name in needed or package not in uses:
            uses[package] = "linked" if name in needed else "linked by a library"
    for package in HEADERS:
        if subprocess.run(["dpkg-query", "-W", package], capture_output=True).returncode == 0:
            uses[package] = "its headers are compiled in"
    packages = [described(package, use) for package, use in sorted(uses.items())]
    packages += [{"SPDXID": f"SPDXRef-{name}", "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
                  "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION", "sourceInfo": "of no package of this system"} for name in unknown]  # fmt: skip
    words = said(program, "--version").split()
    commit = re.search(r"commit ([0-9a-f]+)", " ".join(words))
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or "0"
    if commit and epoch == "0":
        shown = subprocess.run(["git", "-C", str(ROOT), "show", "-s", "--format=%ct", commit[1]], capture_output=True, text=True)
        epoch = shown.stdout.strip() or "0"
    own = {"SPDXID": "SPDXRef-watersmeet", "name": "watersmeet", "versionInfo": words[1], "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
           "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "The Watersmeet developers", "sourceInfo": " ".join(words)}  # fmt: skip
    names = sorted({name for package in packages for name in package["licenseDeclared"].split(" AND ") if name.startswith("LicenseRef-")})
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"watersmeet-{words[1]}",
        "documentNamespace": f"https://spdx.org/spdxdocs/watersmeet-{words[1]}-{commit[1] if commit else 'unknown'}",
        "creationInfo": {"created": said("date", "-u", "-d", f"@{epoch}", "+%Y-%m-%dT%H:%M:%SZ").strip(), "creators": ["Tool: watersmeet tools/sbom.py"]},
        "packages": [own, *packages],
        "hasExtractedLicensingInfos": [
            {"licenseId": name, "extractedText": "the licence that Debian calls " + name.removeprefix("LicenseRef-") + "; text in /usr/share/doc/PACKAGE/copyright"}
            for name in names],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-watersmeet"}]
        + [{"spdxElementId": "SPDXRef-watersmeet", "relationshipType": "STATIC_LINK" if "headers" in package["sourceInfo"] else "DYNAMIC_LINK",
            "relatedSpdxElement": package["SPDXID"]} for package in packages],
    }  # fmt: skip
    print(json.dumps(document, indent=1))


if __name__ == "__main__":
    main()
