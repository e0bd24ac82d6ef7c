"""``python -m openfisca_fds_tools``; also the file that ``spark-submit``, which takes only ``.py``, can be given."""

from openfisca_fds_tools.cli import main

if __name__ == "__main__":
    main()
