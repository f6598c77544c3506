import Foundation

/// The check of the file systems that contain stores: their kinds and their free space.
enum FileSystemCheck {
  private static let networkKinds = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "ceph", "glusterfs", "9p", "lustre",
    "fuse.sshfs", "fuse.s3fs", "fuse.rclone", "fuse.glusterfs", "davfs", "fuse.davfs2",
  ]
  private static let memoryKinds = ["tmpfs", "ramfs"]
  /// The free space in bytes below which applications will soon fail to write.
  private static let littleSpace: UInt64 = 256 << 20
  /// The free space in bytes below which replacing a file is likely to fail.
  private static let almostNoSpace: UInt64 = 16 << 20

  /// Returns the findings about the file systems of `paths`, one for each file system.
  static func findings(of paths: [String]) -> [Finding] {
    let systems = MountedFileSystem.all
    var known: [MountedFileSystem] = []
    return paths.flatMap { path -> [Finding] in
      guard let system = MountedFileSystem.of(path, among: systems) else {
        return space(at: path)
      }
      guard !known.contains(system) else { return [] }
      known.append(system)
      return [kind(of: system)] + space(at: path)
    }
  }

  private static func kind(of system: MountedFileSystem) -> Finding {
    let text = "\(system.kind) at \(system.mountPoint)"
    if networkKinds.contains(system.kind) {
      return Finding(
        .warning, "file system",
        "\(text): locks between processes are not reliable on network file systems",
        suggestion: "move the stores to a local disk, or use them from one machine only")
    }
    if memoryKinds.contains(system.kind) {
      return Finding(
        .warning, "file system", "\(text): the stores are lost when the system restarts",
        suggestion: "move the stores to a disk")
    }
    if system.isReadOnly {
      return Finding(
        .warning, "file system", "\(text): the file system is mounted read-only",
        suggestion: "mount -o remount,rw \(ShellText.shown(system.mountPoint))")
    }
    return Finding(.ok, "file system", text)
  }

  private static func space(at path: String) -> [Finding] {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return [] }
    let (free, isOver) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    guard !isOver else { return [] }
    let text = "\(ByteText.readable(Int(clamping: free))) free for \(path)"
    let suggestion = "remove files from this file system, or move the stores to another one"
    if status.f_files > 0, status.f_favail == 0 {
      return [
        Finding(
          .problem, "disk space",
          "no new files are possible for \(path), because the file system has too many files",
          suggestion: suggestion)
      ]
    }
    if free < almostNoSpace {
      return [Finding(.problem, "disk space", text, suggestion: suggestion)]
    }
    return [
      free < littleSpace
        ? Finding(.warning, "disk space", text, suggestion: suggestion)
        : Finding(.ok, "disk space", text)
    ]
  }
}
