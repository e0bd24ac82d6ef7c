# The web API and its page:  docker build -t openfisca-fds . && docker run --read-only --tmpfs /tmp -p 5000:5000 openfisca-fds
FROM python:3.11-slim AS construction
WORKDIR /source
COPY . .
RUN python -m venv /opt/fds && /opt/fds/bin/pip install --no-cache-dir --constraint constraints.txt ".[tools,web]"

FROM python:3.11-slim
RUN useradd --system --no-create-home fds
COPY --from=construction /opt/fds /opt/fds
COPY examples/reformes /opt/reformes
ENV OPENFISCA_FDS_REFORMES=/opt/reformes
USER fds
EXPOSE 5000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["/opt/fds/bin/python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:5000/ready', timeout=4)"]
CMD ["/opt/fds/bin/openfisca-fds", "serve", "--host", "0.0.0.0"]
