# Dockerfile: an image with the programs and libraries that the lab needs, and an ordinary user. The lab is not part of
# it: its folder is mounted as /lab, so that programs and progress stay when the container ends. README.md says how.
# checker/bin/setup knows the packages; SETUP has its options. checker/test/containers proves this file.
FROM debian:trixie-slim
ARG SETUP="--stages --pictures"
COPY checker/bin/setup checker/bin/packages.tsv /opt/warpup/checker/bin/
RUN for option in $SETUP; do /opt/warpup/checker/bin/setup "$option" || exit; done; rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --shell /bin/bash student
# Tools that were built here need a C library as new as this one: those of the machine outside stay as they are.
ENV LANG=C.UTF-8 WARPUP_BUILD=build/container
USER student
WORKDIR /lab
CMD ["bash"]
