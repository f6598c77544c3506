import UndercroftFileSystem

/// The system calls that create, move and remove names.
extension TraceReader {
  mutating func readNames(_ call: SystemCall) throws(TraceError) -> Bool {
    switch call.name {
    case "open", "creat":
      let flags = call.name == "creat" ? Int(O_CREAT | O_WRONLY | O_TRUNC) : call.number(1) ?? 0
      let mode = call.number(call.name == "creat" ? 1 : 2)
      try open(call, at: nil, path: 0, flags, mode)
    case "openat": try open(call, at: 0, path: 1, call.number(2) ?? 0, call.number(3))
    case "mknod": try makeNode(call, at: nil, path: 0, mode: call.number(1))
    case "mknodat": try makeNode(call, at: 0, path: 1, mode: call.number(2))
    case "mkdir": try make(.folder, call, at: nil, path: 0, mode: call.number(1))
    case "mkdirat": try make(.folder, call, at: 0, path: 1, mode: call.number(2))
    case "symlink":
      try make(.link(target: call.text(0) ?? ""), call, at: nil, path: 1, mode: nil)
    case "symlinkat":
      try make(.link(target: call.text(0) ?? ""), call, at: 1, path: 2, mode: nil)
    case "link": try link(call, (nil, 0), (nil, 1), flags: 0)
    case "linkat": try link(call, (0, 1), (2, 3), flags: call.number(4) ?? 0)
    case "rename": try rename(call, (nil, 0), (nil, 1))
    case "renameat": try rename(call, (0, 1), (2, 3))
    case "renameat2":
      let flags = call.number(4) ?? 0
      // RENAME_NOREPLACE (1) does not change the effect of a call that succeeded.
      guard flags <= 1 else {
        throw TraceError(
          """
          the call passes the flags \(flags) with the paths "\(call.text(1) ?? "?")" and \
          "\(call.text(3) ?? "?")", but the replay supports only 0 and RENAME_NOREPLACE (1)
          """)
      }
      try rename(call, (0, 1), (2, 3))
    case "unlink", "rmdir": try remove(call, at: nil, path: 0)
    case "unlinkat": try remove(call, at: 0, path: 1)
    case "chmod": try setMode(call, at: nil, path: 0, mode: 1)
    case "fchmodat": try setMode(call, at: 0, path: 1, mode: 2)
    default: return false
    }
    return true
  }

  private mutating func resolve(
    _ call: SystemCall, at descriptor: Int?, path: Int, following: Bool = false
  ) throws(TraceError) -> TracedPath {
    try resolve(
      call.text(path), at: descriptor.flatMap { call.number($0) }, of: call, following: following)
  }

  private mutating func open(
    _ call: SystemCall, at descriptor: Int?, path: Int, _ flags: Int, _ mode: Int?
  ) throws(TraceError) {
    let flags = Int32(truncatingIfNeeded: flags)
    let follows = flags & O_NOFOLLOW == 0 && flags & O_EXCL == 0
    let appends = flags & O_APPEND != 0
    switch try resolve(call, at: descriptor, path: path, following: follows) {
    case .outside(let path):
      files[call.thread, call.result] = OpenFile(node: nil, path: path)
    case .ignored: files[call.thread, call.result] = OpenFile(node: nil, path: "")
    case .root:
      files[call.thread, call.result] = OpenFile(node: DiskModel.root, path: "")
    case .inside(let folder, let name, let known):
      guard flags & (O_SYNC | O_DSYNC) == 0 || flags & O_ACCMODE == O_RDONLY else {
        throw TraceError(
          """
          the call opens the file "\(name)" with O_SYNC or O_DSYNC, but the replay does not \
          support these flags
          """)
      }
      var node = known
      if node == nil {
        guard flags & O_CREAT != 0 else {
          throw TraceError(
            "the call opens \"\(name)\", but at this point, the replay has no such file or folder")
        }
        let new = model.nextNode
        add(
          .create(
            folder: folder, name: name, node: new, .file,
            mode: UInt32(mode ?? 0o600) & ~mask & 0o7777), call)
        node = new
      } else if let node, flags & O_TRUNC != 0, flags & O_ACCMODE != O_RDONLY {
        truncate(node, to: 0, call)
      }
      files[call.thread, call.result] = OpenFile(node: node, path: "", appends: appends)
    }
  }

  private mutating func makeNode(
    _ call: SystemCall, at descriptor: Int?, path: Int, mode: Int?
  ) throws(TraceError) {
    let mode = UInt32(mode ?? 0)
    guard mode & UInt32(S_IFMT) == UInt32(S_IFREG) else {
      throw TraceError(
        """
        the call creates "\(call.text(path) ?? "?")" with a mode whose file type is not S_IFREG (a \
        regular file), but the replay supports only S_IFREG
        """)
    }
    try make(.file, call, at: descriptor, path: path, mode: Int(mode))
  }

  private mutating func make(
    _ kind: FileOperation.Kind, _ call: SystemCall, at descriptor: Int?, path: Int, mode: Int?
  ) throws(TraceError) {
    guard case .inside(let folder, let name, _) = try resolve(call, at: descriptor, path: path)
    else { return }
    let permitted = kind == .folder || kind == .file ? ~mask : 0o777
    let mode = UInt32(mode ?? 0o777) & permitted & 0o7777
    add(.create(folder: folder, name: name, node: model.nextNode, kind, mode: mode), call)
  }

  private mutating func link(
    _ call: SystemCall, _ old: (at: Int?, path: Int), _ new: (at: Int?, path: Int), flags: Int
  ) throws(TraceError) {
    guard case .inside(let folder, let name, _) = try resolve(call, at: new.at, path: new.path)
    else { return }
    let isEmptyPath = flags & 0x1000 != 0 && call.text(old.path) == ""
    var source = "the file \"\(call.text(old.path) ?? "?")\""
    let node: Int?
    if isEmptyPath, let descriptor = old.at.flatMap({ call.number($0) }) {
      source = "the file of the descriptor \(descriptor)"
      node = files[call.thread, descriptor]?.node
    } else if case .inside(_, _, let known) = try resolve(call, at: old.at, path: old.path) {
      node = known
    } else {
      node = nil
    }
    guard let node else {
      throw TraceError(
        """
        the call creates the hard link "\(name)" to \(source), but at this point, the replay does \
        not contain this file
        """)
    }
    add(.link(node: node, folder: folder, name: name), call)
  }

  private mutating func rename(
    _ call: SystemCall, _ old: (at: Int?, path: Int), _ new: (at: Int?, path: Int)
  ) throws(TraceError) {
    let source = try resolve(call, at: old.at, path: old.path)
    let target = try resolve(call, at: new.at, path: new.path)
    switch (source, target) {
    case (.inside(let from, let name, let node?), .inside(let to, let newName, let present)):
      // If both names refer to the same file, the kernel does nothing.
      if present == node { return }
      add(.rename(node: node, from: from, name: name, to: to, newName: newName), call)
    case (.outside, .outside), (.ignored, .ignored): return
    case (.inside(_, let name, nil), .inside):
      throw TraceError(
        "the call moves \"\(name)\", but at this point, the replay has no such file or folder")
    case (.ignored, _), (_, .ignored):
      throw TraceError(
        """
        the call moves "\(call.text(old.path) ?? "?")" to "\(call.text(new.path) ?? "?")", but the \
        replay ignores files whose names end in "-shm", and does not support a move from or to \
        such a name
        """)
    case (.root, _), (_, .root):
      throw TraceError(
        """
        the call moves "\(call.text(old.path) ?? "?")" to "\(call.text(new.path) ?? "?")", but one \
        of these paths is the recorded folder itself, and the replay does not support a move that \
        renames or replaces this folder
        """)
    default:
      throw TraceError(
        """
        the call moves "\(call.text(old.path) ?? "?")" to "\(call.text(new.path) ?? "?")", but \
        only one of these paths is in the recorded folder, and the replay supports a move only \
        within this folder
        """)
    }
  }

  private mutating func remove(
    _ call: SystemCall, at descriptor: Int?, path: Int
  ) throws(TraceError) {
    guard
      case .inside(let folder, let name, let node) = try resolve(call, at: descriptor, path: path)
    else { return }
    guard node != nil else {
      throw TraceError(
        "the call removes \"\(name)\", but at this point, the replay has no such file or folder")
    }
    add(.remove(folder: folder, name: name), call)
  }

  private mutating func setMode(
    _ call: SystemCall, at descriptor: Int?, path: Int, mode: Int
  ) throws(TraceError) {
    guard
      case .inside(_, _, let node?) = try resolve(call, at: descriptor, path: path, following: true)
    else { return }
    add(.setMode(node: node, mode: UInt32(call.number(mode) ?? 0) & 0o7777), call)
  }
}
