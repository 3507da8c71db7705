class JobFailed(Exception):
    def __init__(self, job, why):
        Exception.__init__(self, job, why)
        self.job = job


payload = JobFailed("nightly", "disk full")
