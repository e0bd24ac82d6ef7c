"""Published figures, backtest, report."""
