"""Packaging: ``pip install .`` brings the law alone; the extras bring what runs it."""

from pathlib import Path

from setuptools import find_packages, setup

TOOLS = [
    "click>=8.1",
    "polars>=1.30",
    "pyyaml>=6",
    "rich>=13",
]
REPORT = ["altair>=5.5", "great-tables>=0.17", "typst>=0.14", "vl-convert-python>=1.7"]
CALIBRATION = ["scipy>=1.13"]
WEB = ["flask>=3.1", "prometheus-client>=0.20", "waitress>=3"]
DASK = ["distributed>=2025.1"]
DEV = [
    "build>=1.2",
    "hypothesis>=6.100",
    "markdown-it-py>=3",
    "mkdocs>=1.6",
    "mkdocs-material>=9.6",
    "mkdocstrings[python]>=1.0",
    "openapi-schema-validator>=0.6",
    "openapi-spec-validator>=0.7",
    "playwright>=1.45",
    "pytest>=8,<10",
    "ruff>=0.9",
    "schemathesis>=4",
    "setuptools>=69",
    "sybil>=9",
    "yamllint>=1.35",
]
PREUVES = [
    "cosmic-ray>=8.7",
    "cyclonedx-bom>=7",
    "libfaketime>=3",
    "pip-audit>=2.10",
    "pip-licenses>=5",
    "pip-tools>=7.5",
    "twine>=6",
]

setup(
    name="openfisca-fds",
    version="0.1.0",
    description="OpenFisca model of the French COVID-19 fonds de solidarité and of the multi-activités aid",
    long_description=Path(__file__).with_name("README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="AGPL-3.0-or-later",
    classifiers=[
        "Development Status :: 4 - Beta",
        "Operating System :: POSIX",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Topic :: Scientific/Engineering :: Information Analysis",
    ],
    python_requires=">=3.11",
    packages=find_packages(include=["openfisca_fds*"]),
    package_data={
        "openfisca_fds": ["parameters/**/*.yaml", "variables/**/*.py"],
        "openfisca_fds_tools": [f"**/*.{ext}" for ext in ("css", "csv", "html", "js", "md", "parquet", "svg", "yaml")],
    },
    install_requires=["openfisca-core[web-api]>=46.0.1,<47", "numpy>=1.26"],
    extras_require={
        "tools": TOOLS,
        "report": REPORT,
        "calibration": CALIBRATION,
        "web": WEB,
        "dask": DASK,
        "dev": DEV + TOOLS,
        "preuves": PREUVES,
        "all": TOOLS + REPORT + CALIBRATION + WEB + DASK + DEV,
    },
    entry_points={"console_scripts": ["openfisca-fds=openfisca_fds_tools.cli:main"]},
)
