import asyncio


async def fetch(urls, delay=0.1):
    out = []
    async for url in urls:
        await asyncio.sleep(delay)
        out.append(url)
    return out


payload = fetch
