import UndercroftFileSystem

/// The system calls that open, duplicate, move and close file descriptors.
extension TraceReader {
  mutating func readDescriptors(_ call: SystemCall) throws(TraceError) -> Bool {
    switch call.name {
    case "close": if let number = call.number(0) { files[call.thread, number] = nil }
    case "close_range":
      let first = call.number(0) ?? 0
      let last = min(call.number(1) ?? 0, Int(Int32.max))
      let onlySetsCloseOnExec = (call.number(2) ?? 0) & 4 != 0
      if last >= first, !onlySetsCloseOnExec { files.close(first...last, of: call.thread) }
    case "dup", "dup2", "dup3":
      if let number = call.number(0), number != call.result {
        files[call.thread, call.result] = files[call.thread, number]
      }
    case "fcntl":
      // F_DUPFD, F_DUPFD_CLOEXEC
      if let number = call.number(0), let command = call.number(1), command == 0 || command == 1030
      {
        files[call.thread, call.result] = files[call.thread, number]
      }
    case "lseek":
      if let number = call.number(0) { files[call.thread, number]?.offset = call.result }
    case "read", "readv":
      if let number = call.number(0) { files[call.thread, number]?.offset += call.result }
    case "clone", "clone3", "fork", "vfork":
      // CLONE_FILES
      let flags = Self.firstNumber(in: call.arguments, of: call.name)
      files.clone(call.result, of: call.thread, sharing: flags & 0x400 != 0)
    case "chdir", "fchdir":
      throw TraceError("the replay does not support a change of the working directory")
    default: return false
    }
    return true
  }

  private static func firstNumber(in arguments: [SystemCall.Argument], of name: String) -> Int {
    // In `clone(child_stack=…, flags=…)` the flags are the second argument. In `clone3({flags=…})`
    // they are the first member.
    let index = name == "clone" ? 1 : 0
    guard index < arguments.count else { return 0 }
    switch arguments[index] {
    case .number(let number): return number
    case .list(let parts): return firstNumber(in: parts, of: "")
    default: return 0
    }
  }
}
