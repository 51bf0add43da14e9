"""Event-order items: files, engines, certificates, verification, explanation."""
