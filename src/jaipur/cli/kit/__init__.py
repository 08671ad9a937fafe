"""What the commands share: options, help, errors of usage, formats, workers."""
