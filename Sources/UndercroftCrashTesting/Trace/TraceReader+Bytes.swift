import UndercroftFileSystem

/// The system calls that change the bytes or the size of a file, and the system calls that flush
/// files.
extension TraceReader {
  mutating func readBytes(_ call: SystemCall) throws(TraceError) -> Bool {
    switch call.name {
    case "write", "writev": try write(call, at: nil)
    case "pwrite64", "pwritev", "pwritev2": try write(call, at: call.number(3))
    case "ftruncate":
      if let node = node(call) { truncate(node, to: call.number(1) ?? 0, call) }
    case "truncate":
      if case .inside(_, _, let node?) = try resolve(
        call.text(0), at: nil, of: call, following: true)
      {
        truncate(node, to: call.number(1) ?? 0, call)
      }
    case "fallocate": try allocate(call)
    case "fchmod":
      if let node = node(call) {
        add(.setMode(node: node, mode: UInt32(call.number(1) ?? 0) & 0o7777), call)
      }
    case "fsync", "fdatasync":
      if let node = node(call) { add(.flush(node: node, before: operations(before: call)), call) }
    case "sync", "syncfs": add(.flushAll(before: operations(before: call)), call)
    case "copy_file_range", "sendfile", "splice": try copy(call)
    case "mmap": try map(call)
    default: return false
    }
    return true
  }

  /// Returns the path of a recorded file in quotes, for error messages.
  private func fileName(of node: Int) -> String {
    model.path(of: node).map { "\"\($0)\"" } ?? "a removed file"
  }

  private mutating func node(_ call: SystemCall) -> Int? {
    call.number(0).flatMap { files[call.thread, $0]?.node }
  }

  mutating func truncate(_ node: Int, to size: Int, _ call: SystemCall) {
    // File systems ignore a truncation to the current size.
    if model.nodes[node].bytes.count != size { add(.truncate(node: node, size: size), call) }
  }

  private mutating func write(_ call: SystemCall, at position: Int?) throws(TraceError) {
    guard let descriptor = call.number(0), call.arguments.count > 1 else { return }
    let file = files[call.thread, descriptor]
    if file?.node == nil, descriptor == 1, let bytes = call.bytes(1) { return addProgress(bytes) }
    guard let file, let node = file.node else { return }
    guard let all = Self.bytes(in: call.arguments[1]), all.count >= call.result else {
      throw TraceError(
        """
        the recording does not contain all \(call.result) bytes that the call writes to \
        \(fileName(of: node)), for example because strace records at most 64 MiB of a buffer
        """)
    }
    let size = model.nodes[node].bytes.count
    let offset = file.appends ? size : position ?? file.offset
    if position == nil { file.offset = offset + call.result }
    if call.result > 0 {
      add(.write(node: node, offset: offset, bytes: Array(all.prefix(call.result))), call)
    }
  }

  private static func bytes(in argument: SystemCall.Argument) -> [UInt8]? {
    switch argument {
    case .bytes(let bytes): return bytes
    case .list(let parts):
      var all: [UInt8] = []
      for part in parts {
        if case .number = part { continue }
        guard let bytes = bytes(in: part) else { return nil }
        all += bytes
      }
      return all
    default: return nil
    }
  }

  private mutating func allocate(_ call: SystemCall) throws(TraceError) {
    guard let node = node(call), let mode = call.number(1), let offset = call.number(2),
      let count = call.number(3)
    else { return }
    let size = model.nodes[node].bytes.count
    switch mode {
    case 0:
      if offset + count > size { truncate(node, to: offset + count, call) }
    case 1: return
    case 3: add(.zero(node: node, range: offset..<offset + count), call)
    default:
      throw TraceError(
        """
        the call changes \(fileName(of: node)) with the fallocate mode \(mode), but the replay \
        supports only the modes 0, 1 and 3
        """)
    }
  }

  private mutating func copy(_ call: SystemCall) throws(TraceError) {
    let isSend = call.name == "sendfile"
    guard let from = call.number(isSend ? 1 : 0), let to = call.number(isSend ? 0 : 2),
      let target = files[call.thread, to], let node = target.node, call.result > 0
    else { return }
    guard let source = files[call.thread, from], let origin = source.node,
      call.name != "splice"
    else {
      throw TraceError(
        """
        the recording does not contain the bytes that the call copies to \(fileName(of: node)), \
        because the call does not copy from a file that the replay contains
        """)
    }
    func position(_ index: Int) -> Int? {
      if case .list(let parts) = call.arguments[index], case .number(let number)? = parts.first {
        number
      } else {
        nil
      }
    }
    let start = position(isSend ? 2 : 1)
    let explicitOffset = isSend ? nil : position(3)
    let first = start ?? source.offset
    let bytes = Array(model.nodes[origin].bytes.dropFirst(first).prefix(call.result))
    guard bytes.count == call.result else {
      throw TraceError(
        """
        the call copies \(call.result) bytes from the offset \(first) of \
        \(fileName(of: origin)), but in the replay, this file has only \(bytes.count) bytes from \
        this offset on
        """)
    }
    if start == nil { source.offset += call.result }
    let offset =
      target.appends ? model.nodes[node].bytes.count : explicitOffset ?? target.offset
    if explicitOffset == nil { target.offset = offset + call.result }
    add(.write(node: node, offset: offset, bytes: bytes), call)
  }

  private mutating func map(_ call: SystemCall) throws(TraceError) {
    guard let protection = call.number(2), let flags = call.number(3),
      let descriptor = call.number(4), let node = files[call.thread, descriptor]?.node
    else { return }
    if protection & Int(PROT_WRITE) != 0, flags & 0xf != Int(MAP_PRIVATE) {
      throw TraceError(
        """
        the call maps \(fileName(of: node)) into writable shared memory, and strace does not \
        record the bytes that are written through this memory
        """)
    }
  }
}
