import TestSupport
import Testing
import UndercroftFileSystem

@Suite struct FileIdentityTests {
  @Test func `a path, a symbolic link and an open descriptor of one file have the same identity`()
    throws
  {
    let folder = try TemporaryDirectory()
    let path = folder.file("loans")
    let file = try Descriptor(opening: path, O_RDWR | O_CREAT)
    let identity = FileIdentity(try file.status())

    #expect(try FileIdentity(at: path) == identity)
    #expect(symlink(path, path + ".link") == 0)
    #expect(try FileIdentity(at: path + ".link") == identity)

    _ = try Descriptor(opening: path + ".new", O_RDWR | O_CREAT)
    #expect(rename(path + ".new", path) == 0)
    let replacement = try FileIdentity(at: path)

    #expect(replacement != nil)
    #expect(replacement != identity)
    #expect(unlink(path) == 0)
    #expect(try FileIdentity(at: path) == nil)
    #expect(try FileIdentity(at: path + "/page") == nil)
  }
}
