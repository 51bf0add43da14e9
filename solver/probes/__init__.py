"""Label leakage: how well labels can be predicted without reasoning.

``probe`` is the framework, with the features and classifiers of ``learners``; each kind lists its
probes.
"""
