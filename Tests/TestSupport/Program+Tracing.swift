extension Program {
  /// Whether tests can run programs with `strace`, which requires the permission to trace a child
  /// process.
  package static let canTrace =
    (try? Program(at: "/usr/bin/strace").run(["-o", "/dev/null", "/bin/true"]).status) == 0
}
