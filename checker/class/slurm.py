class SlurmFailed(Exception):
    pass


class Slurm:
    def __init__(self, *a):
        raise SlurmFailed("no")
