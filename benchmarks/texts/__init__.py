"""Scores of extracted quadruples, after WebNLG 2020 as adapted by Amalvy and Huang (2025)."""
