# Three commands: `make demo`, `make notebook` and `make test`. Each sets up what it needs, and is quick
# the second time.

PYTHON ?= python3
VENV ?= .venv
OUT ?= out
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LAB := $(VENV)/.lab
NOTEBOOKS := $(OUT)/notebooks
LAB_OPTIONS ?= --LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate

# The CPU build where there is no NVIDIA GPU: the other one is several gigabytes. Set TORCH to choose.
TORCH ?= $(shell if [ "$$(uname -sm)" = "Linux x86_64" ] && ! command -v nvidia-smi >/dev/null 2>&1; \
	then echo torch==2.13.0+cpu; else echo torch==2.13.0; fi)

.PHONY: demo notebook test pytest lint data clean

demo: $(READY)
	$(BIN)/kg demo $(OUT)

# Opens the assistant in JupyterLab with its answers. The notebooks are copied once; what you change stays.
notebook: $(LAB)
	test -e $(NOTEBOOKS)/02_rca_assistant.ipynb || \
		$(BIN)/kg notebooks $(NOTEBOOKS) --run 02
	$(BIN)/jupyter lab $(LAB_OPTIONS) $(NOTEBOOKS)/02_rca_assistant.ipynb

$(LAB): $(READY)
	$(BIN)/pip install -q -c constraints.txt -e '.[notebooks]'
	touch $@

# Both at once: mypy works on one core only. Either one that fails makes it fail.
test: $(READY)
	@$(MAKE) --no-print-directory -j 2 lint pytest

pytest: $(READY)
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Write generated files anew: canonical data, JSON Schemas, the manifest, the vocabulary page, vectors.
data: $(READY)
	$(BIN)/python -m kg.readers.format .
	$(BIN)/python -m kg.library.ship .

$(READY): pyproject.toml constraints.txt Makefile
	$(PYTHON) -c 'import sys; sys.exit("incident-kg needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -c 'import torch' 2>/dev/null || $(BIN)/pip install -q -c constraints.txt '$(TORCH)' || { \
		echo "No '$(TORCH)' in the package sources of pip. Either add PyTorch's index of CPU wheels"; \
		echo "(PIP_EXTRA_INDEX_URL, the address is on the PyTorch start page), or accept the large"; \
		echo "GPU build: make $(MAKECMDGOALS) TORCH=torch==2.13.0"; exit 1; }
	$(BIN)/pip install -q -c constraints.txt -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) $(OUT) dist build
