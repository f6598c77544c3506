#if SyncHTTP
  import AsyncHTTPClient
  import NIOCore
  import NIOHTTP1
#endif
