// expected-error@+1 {{this does not come}}
func.func private @f()
