import UndercroftFileSystem

/// The location that a path of the recorded program refers to.
enum TracedPath {
  case outside(path: String)
  /// A `-shm` file of SQLite, which is ignored because SQLite creates it again after a crash.
  case ignored
  /// A name in a folder of the model, with the node of the file that has the name, or `nil` if
  /// there is no such file.
  case inside(folder: Int, name: String, node: Int?)
  /// The recorded folder itself.
  case root
}

extension TraceReader {
  /// Returns the location that `path` refers to.
  ///
  /// - Parameters:
  ///   - path: the path, or `nil` if it is not recorded as text, which is an error.
  ///   - descriptor: the descriptor of the folder that a relative path begins at, or `nil` for the
  ///     working folder.
  ///   - call: the system call that contains the path.
  ///   - following: whether a symbolic link in the last component is followed.
  mutating func resolve(
    _ path: String?, at descriptor: Int?, of call: SystemCall, following: Bool = false
  ) throws(TraceError) -> TracedPath {
    guard let path else {
      throw TraceError("the recording does not contain the text of a path that the call passes")
    }
    if Folder.isAbsolute(path) { return try walk(path.split(separator: "/"), following) }
    let current = Int32(truncatingIfNeeded: descriptor ?? Int(AT_FDCWD))
    if current == AT_FDCWD {
      return try walk((workingFolder + "/" + path).split(separator: "/"), following)
    }
    guard let file = files[call.thread, Int(current)] else {
      throw TraceError(
        """
        the path "\(path)" is relative to the descriptor \(current), but the recording does not \
        contain the call that opened this descriptor
        """)
    }
    guard let node = file.node else {
      return try walk((file.path + "/" + path).split(separator: "/"), following)
    }
    let components = path.split(separator: "/")
    guard components.contains("..") else { return try walk(components, from: [node], following) }
    guard let folder = model.path(of: node) else {
      throw TraceError(
        """
        the path "\(path)" is relative to the folder of the descriptor \(current), but this folder \
        was removed
        """)
    }
    return try walk(root + folder.split(separator: "/") + components, following)
  }

  private func walk(
    _ components: [Substring], _ following: Bool
  ) throws(TraceError) -> TracedPath {
    var plain: [Substring] = []
    for component in components where component != "." {
      if component == ".." { _ = plain.popLast() } else { plain.append(component) }
    }
    guard plain.starts(with: root) else {
      return .outside(path: "/" + plain.joined(separator: "/"))
    }
    return try walk(Array(plain.dropFirst(root.count)), from: [DiskModel.root], following)
  }

  private func walk(
    _ components: [Substring], from start: [Int], _ following: Bool, depth: Int = 0
  ) throws(TraceError) -> TracedPath {
    var stack = start
    let path = components.joined(separator: "/")
    let plain = components.filter { $0 != "." }
    guard let last = plain.last else {
      let node = stack.last ?? DiskModel.root
      return node == DiskModel.root ? .root : .inside(folder: node, name: ".", node: node)
    }
    guard last != ".." else {
      throw TraceError(
        """
        the target "\(path)" of a symbolic link ends in "..", but the replay supports no such target
        """)
    }
    guard depth < 40 else {
      throw TraceError(
        """
        the path of the call contains a chain of at least 40 symbolic links (link 40 has the \
        target "\(path)"), but the replay follows at most 39 symbolic links
        """)
    }
    for component in plain.dropLast() {
      if component == ".." {
        guard stack.count > 1 else {
          let folder =
            stack.last == DiskModel.root
            ? "the recorded folder" : "the folder whose descriptor the call passes"
          throw TraceError(
            """
            the target "\(path)" of a symbolic link contains a ".." that refers to the parent of \
            \(folder), but the replay supports no such target
            """)
        }
        stack.removeLast()
        continue
      }
      guard let folder = stack.last, let node = model.nodes[folder].entries[String(component)]
      else {
        throw TraceError(
          """
          the path "\(path)" contains the folder "\(component)", but at this point, the replay has \
          no such folder
          """)
      }
      guard model.nodes[node].isFolder else {
        throw TraceError(
          """
          the component "\(component)" of the path "\(path)" is a symbolic link, but the replay \
          follows a symbolic link only in the last component
          """)
      }
      stack.append(node)
    }
    let name = String(last)
    let folder = stack.last ?? DiskModel.root
    if DiskModel.isIgnored(name) { return .ignored }
    let node = model.nodes[folder].entries[name]
    if following, let node, case .link(let target) = model.nodes[node].kind {
      if Folder.isAbsolute(target) { return try walk(target.split(separator: "/"), following) }
      return try walk(target.split(separator: "/"), from: stack, following, depth: depth + 1)
    }
    return .inside(folder: folder, name: name, node: node)
  }
}
