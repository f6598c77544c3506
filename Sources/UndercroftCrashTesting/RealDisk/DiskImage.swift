import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftTesting

/// An ext4 file system in a file, which is mounted through a loop device.
///
/// A copy of the file, made while a writer runs, is the disk that a power failure would leave.
struct DiskImage: ~Copyable {
  let file: String
  /// The path of the folder at which the file system is mounted.
  let folder: String

  private static let byteCount = 16 << 20

  /// Returns the reason why a loop device cannot be mounted here, or `nil` if it can be mounted.
  static func obstacle() -> String? {
    for program in [mountProgram, formatProgram] where access(program, X_OK) != 0 {
      return "\(program) is missing"
    }
    guard geteuid() == 0 else { return "only the superuser may mount" }
    do {
      let scratch = try ScratchFolder.make("image")
      defer { ScratchFolder.remove(scratch) }
      _ = try DiskImage(in: scratch, holding: DiskImage.formatted(in: scratch))
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static let mountProgram = "/usr/bin/mount"
  private static let formatProgram = "/usr/sbin/mkfs.ext4"

  /// Returns the bytes of an empty file system.
  static func formatted(in scratch: String) throws -> Data {
    let path = scratch + "/empty.image"
    try Descriptor(opening: path, O_WRONLY | O_CREAT).write(Data(count: byteCount))
    defer { unlink(path) }
    try run([formatProgram, "-q", "-F", "-b", "4096", path], for: path)
    return try Descriptor(opening: path, O_RDONLY).readAll()
  }

  /// Creates the file of the image with `bytes`, and mounts the file system.
  init(in scratch: String, holding bytes: Data) throws {
    let name = scratch + "/" + String(UInt64.random(in: .min ... .max), radix: 16)
    file = name + ".image"
    folder = name + ".mounted"
    try Descriptor(opening: file, O_WRONLY | O_CREAT).write(bytes)
    try Folder.create(folder)
    do {
      try Self.run([Self.mountProgram, "-o", "loop", "-t", "ext4", file, folder], for: file)
    } catch {
      rmdir(folder)
      unlink(file)
      throw error
    }
  }

  deinit {
    // A store may have its files open for some milliseconds after it was released.
    if let unmount = try? LinuxCalls.unmount() {
      for _ in 0..<500 {
        if unmount(folder, 0) == 0 || errno != EBUSY { break }
        usleep(4_000)
      }
    }
    rmdir(folder)
    unlink(file)
  }

  /// Returns the bytes that are on the disk now, without the data that the kernel has not written
  /// yet.
  func copy() throws -> Data { try Descriptor(opening: file, O_RDONLY).readAll() }

  /// Writes all data in memory to the disk, as the kernel does after some seconds. (`syncfs`)
  func writeBack() throws {
    #if os(Linux)
      let root = try Folder.open(folder)
      guard try LinuxCalls.syncfs()(root.raw) == 0 else {
        throw StorageError.system("flush the file system of", folder)
      }
    #endif
  }

  /// Writes the bytes of all files to the disk, without committing names and sizes.
  /// (`sync_file_range`)
  func writeBackBytes() throws {
    #if os(Linux)
      let writeRange = try LinuxCalls.syncFileRange()
      for (path, _) in try DiskModel(readingFrom: folder).paths {
        guard let file = try? Descriptor(regularFile: folder + "/" + path, O_RDONLY) else {
          continue
        }
        // 7 = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER
        _ = writeRange(file.raw, 0, 0, 7)
      }
    #endif
  }

  private static func run(_ command: [String], for image: String) throws {
    let child = try ChildProcess(command)
    _ = child.lines()
    let status = child.status()
    guard status == 0 else {
      throw TraceError(
        """
        cannot prepare the disk image \(quoted(image)): the command \
        \(quoted(command.joined(separator: " "))) ended with \
        \(ChildProcess.describe(waitStatus: status)); if the standard error of this process \
        contains no error message of the command, run the command in a shell to see the cause
        """)
    }
  }
}
